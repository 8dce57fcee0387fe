package dev.incumbent.model;

import java.util.Set;

/**
 * The name of something that a record may require of whoever stands on it or writes it, such as {@code quiet-hours}.
 *
 * <p>1 to 64 characters of {@code [a-z0-9.-]}.
 */
public record Feature(String value) implements Comparable<Feature> {
    /** How many features a record requires, or a candidate reports, at most. */
    public static final int MOST = 16;

    private static final int LONGEST = 64;

    /** Whoever claims turns off, or otherwise proves gone, every holder that the record lists, before it begins; whoever does not know that does not stand. */
    public static final Feature STONITH = new Feature("stonith");

    public Feature {
        if (value.isEmpty() || value.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "a feature's name has 1 to " + LONGEST + " characters, this one has " + value.length());
        }
        for (int i = 0; i < value.length(); i++) {
            if (!legal(value.charAt(i))) {
                throw new IllegalArgumentException("feature '" + value + "' has '" + value.charAt(i) + "' at position "
                        + (i + 1) + "; legal are a to z, 0 to 9, . and -");
            }
        }
    }

    private static boolean legal(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    }

    static Set<Feature> checked(String whose, Set<Feature> features) {
        if (features.size() > MOST) {
            throw new IllegalArgumentException(
                    whose + " has at most " + MOST + " features, this one has " + features.size());
        }
        return Sorted.copyOf(features);
    }

    @Override
    public int compareTo(Feature other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
