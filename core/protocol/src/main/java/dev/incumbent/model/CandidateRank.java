package dev.incumbent.model;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a candidate tells of itself by which it claims before or after others, whoever came first ({@link Turns}). It is told by attributes of the candidate; what a later version
 * writes otherwise counts as not told. It only delays.
 *
 * @param priority the greater one first; from -1000 to 1000
 * @param version of the program, such as {@code 1.4.2}, compared as by semantic versioning; empty where none is told, which counts as the oldest
 * @param oldestFirst where all that tell a version say so, the oldest version is first, else the newest
 * @param zone where it runs; empty where none is told
 * @param preferredZone those who name one and run elsewhere come after the others; empty where none is named
 */
public record CandidateRank(int priority, String version, boolean oldestFirst, String zone, String preferredZone) {
    /** Of whom nothing is told. */
    public static final CandidateRank PLAIN = new CandidateRank(0, "", false, "", "");

    /** A priority is at most this, and at least as much below 0. */
    public static final int MOST_PRIORITY = 1_000;

    /** A version or the name of a zone has at most so many characters. */
    public static final int LONGEST = 64;

    private static final String PRIORITY = "priority";
    private static final String VERSION = "version";
    private static final String VERSION_ORDER = "version-order";
    private static final String OLDEST_FIRST = "oldest-first";
    private static final String ZONE = "zone";
    private static final String PREFERRED_ZONE = "preferred-zone";
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,4}");

    public CandidateRank {
        if (!isLegal(priority)) {
            throw new IllegalArgumentException(
                    "a priority is from -" + MOST_PRIORITY + " to " + MOST_PRIORITY + ", this one is " + priority);
        }
        check("a version", version);
        check("a zone", zone);
        check("a preferred zone", preferredZone);
    }

    /** As these attributes tell it. */
    static CandidateRank of(Map<String, String> attributes) {
        if (attributes.isEmpty()) {
            return PLAIN;
        }
        return new CandidateRank(
                number(attributes.getOrDefault(PRIORITY, "0")),
                word(attributes.getOrDefault(VERSION, "")),
                attributes.getOrDefault(VERSION_ORDER, "").equals(OLDEST_FIRST),
                word(attributes.getOrDefault(ZONE, "")),
                word(attributes.getOrDefault(PREFERRED_ZONE, "")));
    }

    /** Those attributes, and these; what is not told is left out. */
    Map<String, String> in(Map<String, String> attributes) {
        Map<String, String> all = new TreeMap<>(attributes);
        put(all, PRIORITY, priority == 0 ? "" : Integer.toString(priority));
        put(all, VERSION, version);
        put(all, VERSION_ORDER, oldestFirst ? OLDEST_FIRST : "");
        put(all, ZONE, zone);
        put(all, PREFERRED_ZONE, preferredZone);
        return all;
    }

    public CandidateRank withPriority(int greatestFirst) {
        return new CandidateRank(greatestFirst, version, oldestFirst, zone, preferredZone);
    }

    public CandidateRank withVersion(String told) {
        return new CandidateRank(priority, told, oldestFirst, zone, preferredZone);
    }

    public CandidateRank withOldestFirst(boolean is) {
        return new CandidateRank(priority, version, is, zone, preferredZone);
    }

    public CandidateRank withZone(String told) {
        return new CandidateRank(priority, version, oldestFirst, told, preferredZone);
    }

    public CandidateRank withPreferredZone(String named) {
        return new CandidateRank(priority, version, oldestFirst, zone, named);
    }

    /** Does it run elsewhere than in the zone that it names as preferred? */
    public boolean isAway() {
        return !preferredZone.isEmpty() && !preferredZone.equals(zone);
    }

    private static void put(Map<String, String> all, String key, String value) {
        if (value.isEmpty()) {
            all.remove(key);
        } else {
            all.put(key, value);
        }
    }

    private static int number(String told) {
        int number = NUMBER.matcher(told).matches() ? Integer.parseInt(told) : 0;
        return isLegal(number) ? number : 0;
    }

    private static boolean isLegal(int priority) {
        return -MOST_PRIORITY <= priority && priority <= MOST_PRIORITY;
    }

    private static String word(String told) {
        return isWord(told) ? told : "";
    }

    private static boolean isWord(String text) {
        return text.length() <= LONGEST && text.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    private static void check(String what, String value) {
        if (!isWord(value)) {
            throw new IllegalArgumentException(what + " is one word of at most " + LONGEST
                    + " printable characters of ASCII, this one is '" + value + "'");
        }
    }
}
