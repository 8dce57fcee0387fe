package dev.incumbent.lab;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What happened in one run between two moments, for a player to show. Times are true times in nanoseconds since the world began; places are those of members, then of the store and the sink.
 *
 * @param begins the moment that is worth looking at first
 * @param beliefs which member believed when that it leads
 * @param downs when its process was gone
 * @param pauses when it stood still
 */
public record LabStory(
        int members,
        long from,
        long to,
        long begins,
        List<Message> messages,
        List<Span> beliefs,
        List<Span> downs,
        List<Span> pauses,
        List<Fault> faults,
        List<Mark> marks) {
    public LabStory {
        messages = List.copyOf(messages);
        beliefs = List.copyOf(beliefs);
        downs = List.copyOf(downs);
        pauses = List.copyOf(pauses);
        faults = List.copyOf(faults);
        marks = List.copyOf(marks);
    }

    /**
     * One message.
     *
     * @param takes until it arrives; -1 where it is lost
     */
    public record Message(long at, long takes, int from, int to, String kind, String label) {}

    /** Something of one place that lasts. */
    public record Span(int place, long from, long to) {}

    /** A fault, and whom it strikes. */
    public record Fault(String what, List<Integer> struck, long from, long to) {
        public Fault {
            struck = List.copyOf(struck);
        }
    }

    /** Something that a person would want to know. */
    public record Mark(long at, String what) {}

    /** The names of all places of a world of the lab. */
    public List<String> places() {
        return IntStream.rangeClosed(0, members + 1)
                .mapToObj(index -> place(index, members))
                .toList();
    }

    /** The name of a place, where there are so many members. */
    static String place(int index, int members) {
        if (index < members) {
            return "m%02d".formatted(index);
        }
        return index == members ? "store" : "sink";
    }
}
