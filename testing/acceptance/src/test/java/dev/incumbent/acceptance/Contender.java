package dev.incumbent.acceptance;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One candidate of the shipped library, with a client and a sink of its own. Its task reads the sink's mark, tells that the term has begun, and then waits until it
 * is told to stop.
 */
final class Contender implements AutoCloseable {
    private final Coordinator coordinator;
    private final Sink sink;
    private final Elections elections;
    private final Candidacy candidacy;

    /**
     * A term whose task has begun.
     *
     * @param markAtStart the sink's mark when the task began
     * @param stopped completes when the task is told to stop
     */
    record Begun(Leadership leadership, Optional<Mark> markAtStart, CompletableFuture<Void> stopped) {}

    /** What all contenders of one election share. */
    record Arena(String uri, SystemTimeline time, Timing timing, Ledger ledger, ElectionName election) {}

    /** A contender that stands from now on. Each term is told to {@code begins}, on the task's thread. */
    Contender(Arena arena, String name, Duration bound, Consumer<Begun> begins) {
        coordinator =
                Coordinators.open(arena.uri(), arena.time(), arena.timing().requestTimeout());
        sink = arena.ledger().sink(bound);
        elections = Elections.over(coordinator)
                .name(name)
                .timing(arena.timing())
                .timeline(arena.time())
                .open();
        candidacy = elections
                .election(arena.election().value())
                .guarding(sink)
                .campaign(leadership -> lead(leadership, bound, begins));
    }

    private void lead(Leadership leadership, Duration bound, Consumer<Begun> begins) throws Exception {
        ElectionName election = leadership.term().election();
        Optional<Mark> mark = sink.marks(Set.of(election))
                .toCompletableFuture()
                .get(bound.toNanos(), TimeUnit.NANOSECONDS)
                .of(election);
        Begun begun = new Begun(leadership, mark, new CompletableFuture<>());
        begins.accept(begun);
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException toldToStop) {
            begun.stopped().complete(null);
        }
    }

    boolean leads(Begun term) {
        return term.leadership().term().leader().equals(candidate());
    }

    Candidate candidate() {
        return elections.candidate();
    }

    Candidacy candidacy() {
        return candidacy;
    }

    @Override
    public void close() {
        candidacy.close();
        elections.close();
        coordinator.close();
        sink.close();
    }
}
