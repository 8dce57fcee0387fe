package dev.incumbent.model;

import java.util.Map;

/**
 * What a candidate or a request tells beside what every version understands. Of a candidate, {@link Candidate#rank()} and {@link Candidate#position()} decide when it claims; by nothing else here anything is decided.
 *
 * @param attributes at most {@link #MOST_ATTRIBUTES}: keys of 1 to 64 characters of {@code [a-z0-9._-]}, values of at most 256 without control characters
 * @param unknown fields that a later version wrote: name to raw JSON, carried through
 */
public record Extras(Map<String, String> attributes, Map<String, String> unknown) {
    public static final int MOST_ATTRIBUTES = 8;

    /** Nothing else is told. */
    public static final Extras NONE = new Extras(Map.of(), Map.of());

    private static final int LONGEST_KEY = 64;
    private static final int LONGEST_VALUE = 256;

    public Extras {
        if (attributes.size() > MOST_ATTRIBUTES) {
            throw new IllegalArgumentException(
                    "there are at most " + MOST_ATTRIBUTES + " attributes, here are " + attributes.size());
        }
        attributes.forEach(Extras::check);
        attributes = Sorted.copyOf(attributes);
        unknown = Unknown.inAPart("a candidate or a request", unknown);
    }

    /** These attributes alone. */
    public static Extras of(Map<String, String> attributes) {
        return new Extras(attributes, Map.of());
    }

    private static void check(String key, String value) {
        if (key.isEmpty() || key.length() > LONGEST_KEY) {
            throw new IllegalArgumentException(
                    "an attribute's key has 1 to " + LONGEST_KEY + " characters, this one has " + key.length());
        }
        for (int i = 0; i < key.length(); i++) {
            if (!legal(key.charAt(i))) {
                throw new IllegalArgumentException("attribute key '" + key + "' has '" + key.charAt(i)
                        + "' at position " + (i + 1) + "; legal are a to z, 0 to 9, . _ and -");
            }
        }
        if (value.length() > LONGEST_VALUE) {
            throw new IllegalArgumentException("the attribute '" + key + "' has at most " + LONGEST_VALUE
                    + " characters, this one has " + value.length());
        }
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < ' ' || value.charAt(i) == 0x7f) {
                throw new IllegalArgumentException(
                        "the attribute '" + key + "' has a control character at position " + (i + 1));
            }
        }
    }

    private static boolean legal(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    }
}
