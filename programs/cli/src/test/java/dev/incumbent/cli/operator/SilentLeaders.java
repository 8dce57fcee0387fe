package dev.incumbent.cli.operator;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Request;
import dev.incumbent.model.Revision;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Elections whose leaders and candidates are written by hand: none of them ever acts on what an operator asks. Notes what is asked. */
final class SilentLeaders {
    private static final Duration LEASE = Duration.ofHours(1);
    private static final Instant NOON = Instant.parse("2026-11-26T12:00:00Z");

    final MemoryStore store;
    /** To whom each was asked to hand over. */
    final List<String> successors = new CopyOnWriteArrayList<>();

    Optional<RuntimeException> failure = Optional.empty();
    private final Timeline timeline;
    private final Coordinator hands;
    private final Set<ElectionName> asked = new TreeSet<>();
    private int mostAtOnce;

    SilentLeaders(Timeline timeline) {
        this.timeline = timeline;
        this.store = new MemoryStore(timeline);
        this.hands = connected();
    }

    private Coordinator connected() {
        return MemoryCoordinator.connect(store, timeline, Duration.ofSeconds(2));
    }

    /** Whoever stands first leads, unless it stands nowhere but in the record. */
    void led(String election, String leader, String... line) {
        ElectionName name = new ElectionName(election);
        LeaseId lease = of(hands.grant(new CandidateId(leader), LEASE)).id();
        LeaderRecord record = LeaderRecord.EMPTY
                .claimedBy(1, candidate(leader), lease, LEASE, NOON)
                .written("nonce");
        if (!(of(hands.swap(name, Revision.ABSENT, record)) instanceof Swap.Accepted)) {
            throw new IllegalStateException(election + " is led already");
        }
        for (String one : line) {
            stands(name, one);
        }
    }

    private void stands(ElectionName election, String candidate) {
        LeaseId lease = of(hands.grant(new CandidateId(candidate), LEASE)).id();
        of(hands.enlist(election, new Enlisted(candidate(candidate), lease, NOON, Set.of())));
    }

    private static Candidate candidate(String id) {
        return new Candidate(new CandidateId(id), id.substring(0, id.indexOf('@')), "");
    }

    /** Is it asked to hand over, now? */
    boolean isAsked(String election) {
        ElectionName name = new ElectionName(election);
        Reading reading = of(hands.read(Set.of(name))).get(name);
        return reading instanceof Reading.Found found
                && found.record().record().request().isPresent();
    }

    synchronized int mostAtOnce() {
        return mostAtOnce;
    }

    private synchronized void noted(ElectionName election, Optional<Request> request) {
        if (request.isPresent()) {
            asked.add(election);
            successors.add(((Request.TransferTo) request.get()).successor().value());
        } else {
            asked.remove(election);
        }
        mostAtOnce = Math.max(mostAtOnce, asked.size());
    }

    /** What an operator opens. */
    Coordinator coordinator() {
        return new ForwardingCoordinator(connected()) {
            @Override
            public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
                if (failure.isPresent()) {
                    return CompletableFuture.failedStage(failure.get());
                }
                noted(election, next.request());
                return super.swap(election, expected, next);
            }
        };
    }

    private static <T> T of(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    static List<String> names(String prefix, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(prefix + (char) ('a' + i));
        }
        return names;
    }
}
