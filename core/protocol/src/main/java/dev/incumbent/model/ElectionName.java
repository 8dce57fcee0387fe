package dev.incumbent.model;

import java.util.Optional;

/**
 * The name of a competition for one leadership, such as {@code billing/closer}.
 *
 * <p>1 to 255 characters of {@code [A-Za-z0-9._/-]}; no leading or trailing {@code /}; no empty, {@code .} or {@code ..}
 * segment. So it is a path in every store and a word in every shell.
 */
public record ElectionName(String value) implements Comparable<ElectionName> {
    private static final int LONGEST = 255;

    public ElectionName {
        if (value.isEmpty() || value.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "an election's name has 1 to " + LONGEST + " characters, this one has " + value.length());
        }
        for (int i = 0; i < value.length(); i++) {
            if (!legal(value.charAt(i))) {
                throw new IllegalArgumentException("election name '" + value + "' has '" + value.charAt(i)
                        + "' at position " + (i + 1) + "; legal are letters, digits and . _ / -");
            }
        }
        for (String segment : value.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw new IllegalArgumentException(
                        "election name '" + value + "' has the segment '" + segment + "' between its slashes");
            }
        }
    }

    /** The election of that name; empty for a name that none can have, such as a foreign key's in a store. */
    public static Optional<ElectionName> ifLegal(String name) {
        try {
            return Optional.of(new ElectionName(name));
        } catch (IllegalArgumentException illegal) {
            return Optional.empty();
        }
    }

    private static boolean legal(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '_'
                || c == '/'
                || c == '-';
    }

    @Override
    public int compareTo(ElectionName other) {
        return value.compareTo(other.value);
    }

    // Spelt out, as hashCode() is: a record's own are spun at the first call, which takes a tenth of a short command's
    // time.
    @Override
    public boolean equals(Object other) {
        return other instanceof ElectionName name && value.equals(name.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }
}
