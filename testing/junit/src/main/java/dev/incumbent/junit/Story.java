package dev.incumbent.junit;

import dev.incumbent.simulation.Agenda;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** What has happened in a world, line by line. */
final class Story {
    private static final int MOST_TOLD = 24;
    private static final int TOLD_AFTER = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Agenda agenda;
    private final List<Line> lines = new ArrayList<>();
    private OptionalInt marked = OptionalInt.empty();

    private record Line(long atNanos, String what) {
        @Override
        public String toString() {
            return "%12.6f s  %s".formatted(atNanos / NANOS_PER_SECOND, what);
        }
    }

    Story(Agenda agenda) {
        this.agenda = agenda;
    }

    void add(String what) {
        lines.add(new Line(agenda.now(), what));
    }

    List<String> lines() {
        return lines.stream().map(Line::toString).toList();
    }

    /** What matters most has just been added; the first mark counts. */
    void mark() {
        if (marked.isEmpty()) {
            marked = OptionalInt.of(lines.size());
        }
    }

    /** Its lines around the mark, or the last ones; what happened several times in a row is one line, with the time of the first. */
    String digest() {
        List<String> folded = new ArrayList<>();
        int upTo = marked.orElse(lines.size());
        int mark = 0;
        for (int i = 0; i < lines.size(); ) {
            int next = i + 1;
            while (next < lines.size()
                    && lines.get(next).what().equals(lines.get(i).what())) {
                next++;
            }
            folded.add(lines.get(i) + (next - i > 1 ? " (" + (next - i) + " times)" : ""));
            if (i < upTo) {
                mark = folded.size();
            }
            i = next;
        }
        int end = Math.min(folded.size(), mark + TOLD_AFTER);
        int begin = Math.max(0, end - MOST_TOLD);
        StringBuilder text = new StringBuilder();
        if (begin > 0) {
            text.append("%n    … %d lines before".formatted(begin));
        }
        folded.subList(begin, end).forEach(line -> text.append("%n    %s".formatted(line)));
        if (end < folded.size()) {
            text.append("%n    … %d lines after".formatted(folded.size() - end));
        }
        return text.toString();
    }
}
