package dev.incumbent.model;

import java.util.Comparator;
import java.util.List;

/**
 * The order of versions, the oldest first, by semantic versioning and a little more: a leading v and what stands after a + count for nothing, {@code 1.2} is {@code 1.2.0}, a
 * pre-release such as {@code 1.2.0-rc1} is older than {@code 1.2.0}, and no version at all is the oldest. Any text has its place.
 */
final class VersionComparator implements Comparator<String> {
    @Override
    public int compare(String one, String other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Boolean.compare(!one.isEmpty(), !other.isEmpty());
        }
        Parts left = Parts.of(one);
        Parts right = Parts.of(other);
        int release = compare(left.release(), right.release(), "0");
        if (release != 0) {
            return release;
        }
        if (left.before().isEmpty() || right.before().isEmpty()) {
            return Boolean.compare(left.before().isEmpty(), right.before().isEmpty());
        }
        return compare(left.before(), right.before(), "");
    }

    /** What is missing at the end of the shorter one counts as that. */
    private static int compare(List<String> left, List<String> right, String missing) {
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            int order = compareWords(at(left, i, missing), at(right, i, missing));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static String at(List<String> words, int place, String missing) {
        return place < words.size() ? words.get(place) : missing;
    }

    /** Numbers by their value, and before words. */
    private static int compareWords(String left, String right) {
        boolean isNumber = isNumber(left);
        if (isNumber != isNumber(right)) {
            return left.isEmpty() || (isNumber && !right.isEmpty()) ? -1 : 1;
        }
        return isNumber ? compareNumbers(left, right) : left.compareTo(right);
    }

    private static int compareNumbers(String left, String right) {
        String one = left.replaceFirst("^0+", "");
        String other = right.replaceFirst("^0+", "");
        return one.length() == other.length() ? one.compareTo(other) : Integer.compare(one.length(), other.length());
    }

    private static boolean isNumber(String word) {
        return !word.isEmpty() && word.chars().allMatch(c -> '0' <= c && c <= '9');
    }

    /**
     * A version, taken apart.
     *
     * @param before what stands after the first -, of a version before a release; empty of a release
     */
    private record Parts(List<String> release, List<String> before) {
        static Parts of(String version) {
            String plain = version.split("\\+", 2)[0];
            String[] both = (isPrefixed(plain) ? plain.substring(1) : plain).split("-", 2);
            return new Parts(words(both[0]), both.length == 1 ? List.of() : words(both[1]));
        }

        private static boolean isPrefixed(String plain) {
            return plain.length() > 1 && plain.charAt(0) == 'v' && isNumber(plain.substring(1, 2));
        }

        private static List<String> words(String dotted) {
            return List.of(dotted.split("\\.", -1));
        }
    }
}
