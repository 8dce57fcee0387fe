package dev.incumbent.coordinator.consul;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/** The verbs that tests of this adapter speak in. */
final class Asking {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private Asking() {}

    static <T> T answer(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(10, SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    static Reading reading(Coordinator client, ElectionName election) throws Exception {
        return Optional.ofNullable(answer(client.read(Set.of(election))).get(election))
                .orElseThrow();
    }

    static ObservedRecord found(Coordinator client, ElectionName election) throws Exception {
        return ((Reading.Found) reading(client, election)).record();
    }

    static Revision accepted(CompletionStage<Swap> swap) throws Exception {
        return ((Swap.Accepted) answer(swap)).revision();
    }

    static CandidateId id(String name) {
        return CandidateId.of(name, "host", 1, "x");
    }

    static Enlisted enlisted(String name, LeaseId lease) {
        return new Enlisted(new Candidate(id(name), name, ""), lease, NOON, Set.of());
    }

    static LeaderRecord claim(String name, LeaseId lease) {
        return LeaderRecord.EMPTY
                .claimedBy(1, new Candidate(id(name), name, ""), lease, Duration.ofSeconds(2), NOON)
                .written(UUID.randomUUID().toString());
    }

    static LeaderRecord vacant(long term) {
        return LeaderRecord.EMPTY.vacated(term, NOON).written(UUID.randomUUID().toString());
    }

    /** Hears revisions, and gaps as "gap". */
    static final class Listener implements Watcher {
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        @Override
        public void changed(ObservedRecord record) {
            heard.add(record.revision().toString());
        }

        @Override
        public void gap() {
            heard.add("gap");
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            heard.add("current");
        }

        String next() throws InterruptedException {
            return Optional.ofNullable(heard.poll(10, SECONDS)).orElse("nothing for 10 s");
        }

        String nextRecord() throws InterruptedException {
            String told = next();
            while (told.equals("gap")) {
                told = next();
            }
            return told;
        }
    }
}
