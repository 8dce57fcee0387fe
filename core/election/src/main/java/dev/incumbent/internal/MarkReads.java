package dev.incumbent.internal;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.protocol.Event;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** Reads of marks, one query a sink for all elections that ask in one turn of the loop. Owned by the loop's thread. */
final class MarkReads {
    private final LeaseClock clock;
    private final BiConsumer<ElectionName, Event> answer;
    private final Map<SinkId, Asked> waiting = new LinkedHashMap<>();

    /** {@code answer} hears on any thread. */
    MarkReads(LeaseClock clock, BiConsumer<ElectionName, Event> answer) {
        this.clock = clock;
        this.answer = answer;
    }

    /** The elections whose marks one sink is asked for. */
    private record Asked(SinkId id, Sink sink, Set<ElectionName> names) {}

    void read(ElectionName election, SinkId id, Sink sink) {
        waiting.computeIfAbsent(id, i -> new Asked(id, sink, new TreeSet<>()))
                .names()
                .add(election);
    }

    void flush() {
        waiting.values().forEach(this::ask);
        waiting.clear();
    }

    private void ask(Asked asked) {
        long sentAt = clock.nanos();
        Calls.answered(() -> asked.sink().marks(asked.names()))
                .whenComplete((read, failure) -> asked.names()
                        .forEach(name -> answer.accept(
                                name,
                                failure == null
                                        ? event(asked.id(), read, name, sentAt)
                                        : new Event.MarkUnread(asked.id(), Calls.why(failure), sentAt))));
    }

    /** A mark that cannot be read is not absent, and no raise could mend it. */
    private static Event event(SinkId sink, MarksRead read, ElectionName name, long sentAt) {
        return read.unreadable().containsKey(name)
                ? new Event.MarkUnread(sink, read.unreadable().get(name), sentAt)
                : new Event.MarkRead(sink, read.of(name), sentAt);
    }
}
