package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One entry of the log. From level 1 on it names the level that it was written at in a field before its word, so that it is read at that level wherever
 * it stands: one that was proposed before the level rose may stand behind the entry that raised it.
 *
 * @param level that it was written at; 0 where it names none
 * @param fields the word and what follows it
 */
record Entry(int level, List<String> fields) {
    /** The highest level that this build reads and writes. */
    static final int SUPPORTED = 1;

    /** {@code LEVEL level}: from here on entries and snapshots may be of that level. */
    static final String LEVEL = "LEVEL";

    /** {@code TOGETHER call…}: each field is an entry by itself, applied in that order; answered by TOGETHER and as many answers. From level 1 on. */
    static final String TOGETHER = "TOGETHER";

    private static final Pattern MARK = Pattern.compile("@(\\d{1,9})");

    static Entry of(String line) {
        List<String> fields = Line.fields(line);
        Matcher mark = MARK.matcher(fields.get(0));
        return mark.matches()
                ? new Entry(Integer.parseInt(mark.group(1)), fields.subList(1, fields.size()))
                : new Entry(0, fields);
    }

    /** That line as an entry of that level. */
    static String at(int level, String line) {
        return level == 0 ? line : "@" + level + "\t" + line;
    }

    /** Those calls as one entry, which is still to be given its level. */
    static String together(List<String> calls) {
        List<String> fields = new ArrayList<>(calls.size() + 1);
        fields.add(TOGETHER);
        fields.addAll(calls);
        return Line.of(fields);
    }

    /** The calls that it bears: itself, or those that were written together. */
    List<Entry> calls() {
        return isTogether()
                ? fields.stream()
                        .skip(1)
                        .map(call -> new Entry(level, Line.fields(call)))
                        .toList()
                : List.of(this);
    }

    boolean isTogether() {
        return level > 0 && word().equals(TOGETHER);
    }

    /** Empty where there is none. */
    String word() {
        return fields.isEmpty() ? "" : fields.get(0);
    }
}
