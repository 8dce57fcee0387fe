package dev.incumbent.agent;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Extras;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Leaders that follow each other faster than any elected ones, each with as many attributes as it may have: the records are written by hand. */
final class ManyLeaders {
    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final Extras LONG = Extras.of(IntStream.range(0, Extras.MOST_ATTRIBUTES)
            .boxed()
            .collect(Collectors.toMap(i -> "key-" + i, i -> "v".repeat(256))));

    private final Coordinator coordinator;
    private final ElectionName election;
    private final LeaseId lease;
    private LeaderRecord record = LeaderRecord.EMPTY;
    private Revision revision = Revision.ABSENT;

    ManyLeaders(Coordinator coordinator, String election) throws Exception {
        this.coordinator = coordinator;
        this.election = new ElectionName(election);
        this.lease = of(coordinator.grant(new CandidateId("many"), LEASE)).id();
    }

    /** The next one leads; its term. */
    long next() throws Exception {
        long term = record.term() + 1;
        Candidate leader = new Candidate(new CandidateId("many-" + term), "many", "", LONG);
        write(record.claimedBy(term, leader, lease, LEASE, NOON)
                .remembering(new PastTerm(term, leader, NOON, NOON, EndReason.RESIGNED, LEASE)));
        return term;
    }

    private void write(LeaderRecord unmarked) throws Exception {
        LeaderRecord next = unmarked.written("nonce-" + unmarked.term());
        Swap swap = of(coordinator.swap(election, revision, next));
        revision = ((Swap.Accepted) swap).revision();
        record = next;
    }

    private static <T> T of(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
