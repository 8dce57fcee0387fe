package dev.incumbent.internal;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Event;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * What is read beside a keep-alive: the records of all elections, and the marks of every sink that a leader guards, one query a sink. A follower of a store that pushes
 * reads its record only once in a lease, in case its watch is silently dead. Now and then whoever stands looks whether it is still on the list: a store that was restored,
 * or a withdrawal that arrived late, may have taken it off. Owned by the loop's thread.
 */
final class Proofs {
    private static final int LISTS_EVERY = 10;

    private final Batches batches;
    private final LeaseClock clock;
    private final long followersEvery;
    private final BiConsumer<ElectionName, Event> answer;
    private int round;

    /** Followers read beside every so many keep-alives; {@code answer} hears on any thread. */
    Proofs(Batches batches, LeaseClock clock, long followersEvery, BiConsumer<ElectionName, Event> answer) {
        this.batches = batches;
        this.clock = clock;
        this.followersEvery = followersEvery;
        this.answer = answer;
    }

    /** Once in a lease where the store pushes its changes; beside each keep-alive where it is polled. */
    static long followersEvery(Capabilities store, Timing timing) {
        return store.pushesChanges() ? timing.lease().dividedBy(timing.renewEvery()) : 1;
    }

    void read(Iterable<ElectionDriver> drivers) {
        Map<SinkId, Asked> asked = new LinkedHashMap<>();
        round++;
        for (ElectionDriver driver : drivers) {
            if (round % LISTS_EVERY == 0 && driver.state().role() == Role.CANDIDATE) {
                batches.listCandidates(driver.election());
            }
            if (driver.state().tenure().isPresent()) {
                batches.readProof(driver.election());
            } else if (round % followersEvery == 0 || !driver.isFollower()) {
                batches.readRecord(driver.election());
            }
            if (driver.state().role() == Role.LEADER) {
                driver.sinks()
                        .forEach((id, sink) -> asked.computeIfAbsent(id, i -> new Asked(id, sink, new TreeSet<>()))
                                .names()
                                .add(driver.election()));
            }
        }
        asked.values().forEach(this::readMarks);
    }

    /** The elections whose marks one sink is asked for. */
    private record Asked(SinkId id, Sink sink, Set<ElectionName> names) {
        CompletionStage<MarksRead> marks() {
            return sink.marks(names);
        }
    }

    /** A mark that cannot be read is not told: it is not absent, and no raise could mend it. */
    private void readMarks(Asked asked) {
        long sentAt = clock.nanos();
        Calls.of(asked::marks)
                .thenAccept(read -> asked.names().stream()
                        .filter(name -> !read.unreadable().containsKey(name))
                        .forEach(name -> answer.accept(name, new Event.MarkRead(asked.id(), read.of(name), sentAt))));
    }
}
