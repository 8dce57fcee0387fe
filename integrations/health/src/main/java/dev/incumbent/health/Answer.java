package dev.incumbent.health;

/**
 * What a check answers.
 *
 * @param isWell can the process do its work, as far as this check asks
 * @param why one sentence without its subject, which is the check's name, such as <em>has 12.4 % free</em>. It is one line, and cut to 300
 *     characters
 */
public record Answer(boolean isWell, String why) {
    public Answer {
        why = oneLine(why);
    }

    /** The process can do its work. */
    public static Answer well(String why) {
        return new Answer(true, why);
    }

    /** It cannot. */
    public static Answer sick(String why) {
        return new Answer(false, why);
    }

    private static String oneLine(String text) {
        String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() <= Bounds.LONGEST_SENTENCE ? line : line.substring(0, Bounds.LONGEST_SENTENCE - 1) + "…";
    }
}
