package dev.incumbent.coordinator.dynamodb;

import static dev.incumbent.coordinator.dynamodb.OpeningTest.join;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
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
import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dynoxide checks no rights; so what is asked for is compared with the rights that the page names. */
class RightsTest {
    private static final Set<String> READING = Set.of("GetItem", "BatchGetItem", "Query");
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Candidate ADA = new Candidate(new CandidateId("ada"), "ada", "");

    private final DynamoDbRig rig = new DynamoDbRig(SharedServer.get(), BOUND);
    private final SignatureLog log = log(rig);

    @AfterEach
    void close() {
        rig.close();
        log.close();
    }

    @Test
    @Tag("realtime")
    void aCandidacyAsksForNothingElse() {
        Coordinator client = open(rig.table(), Mode.CREATE);
        AtomicInteger told = new AtomicInteger();
        client.watch(BILLING, new Counting(told));

        LeaseId silent = join(client.grant(ADA.id(), Duration.ofSeconds(1))).id();
        LeaseId lease = join(client.grant(ADA.id(), Duration.ofMinutes(1))).id();
        join(client.enlist(BILLING, new Enlisted(ADA, lease, Instant.EPOCH, Set.of())));
        Revision first = swapped(client, Revision.ABSENT, claim(1, lease));
        join(client.keepAlive(lease));
        swapped(client, first, claim(2, silent));
        join(client.read(Set.of(BILLING)));
        assertThat(join(client.elections(""))).containsExactly(BILLING);
        Waiting.until("the end of a lease", () -> log.operations().contains("DeleteItem"));
        assertThat(join(client.candidates(Set.of(BILLING))).get(BILLING)).hasSize(1);
        join(client.withdraw(BILLING, ADA.id()));
        join(client.revoke(lease));

        assertThat(told).hasPositiveValue();
        assertThat(log.operations())
                .containsExactlyInAnyOrder("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem");
    }

    @Test
    @Tag("realtime")
    void whoMayOnlyReadOnlyReads() {
        Coordinator client = rig.connect();
        LeaseId silent = join(client.grant(ADA.id(), Duration.ofSeconds(1))).id();
        join(client.enlist(BILLING, new Enlisted(ADA, silent, Instant.EPOCH, Set.of())));
        swapped(client, Revision.ABSENT, claim(1, silent));
        Coordinator reader = open(rig.table(), Mode.READ_ONLY);
        AtomicInteger told = new AtomicInteger();
        reader.watch(BILLING, new Counting(told));

        join(reader.read(Set.of(BILLING)));
        join(reader.elections(""));
        join(reader.candidates(Set.of(BILLING)));
        rig.passTime(Duration.ofSeconds(2));
        join(reader.read(Set.of(BILLING)));
        join(reader.candidates(Set.of(BILLING)));

        assertThat(told).hasPositiveValue();
        assertThat(log.operations()).isSubsetOf(READING);
    }

    @Test
    void anInstallationAsksForNothingElse() {
        String table = rig.table() + "-anew";

        new DynamoDbCoordinatorProvider().install(DynamoDbServer.uri(table, log.port()), BOUND);

        assertThat(log.operations()).containsExactlyInAnyOrder("CreateTable", "DescribeTable");
    }

    private static SignatureLog log(DynamoDbRig rig) {
        try {
            return new SignatureLog(rig.server().port());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Coordinator open(String table, Mode mode) {
        return rig.remembered(rig.open(DynamoDbServer.uri(table, log.port()), mode));
    }

    private static LeaderRecord claim(long term, LeaseId lease) {
        return LeaderRecord.EMPTY
                .claimedBy(term, ADA, lease, Duration.ofSeconds(1), Instant.EPOCH)
                .written("n" + term);
    }

    private static Revision swapped(Coordinator client, Revision expected, LeaderRecord next) {
        Swap swap = join(client.swap(BILLING, expected, next));
        assertThat(swap).isInstanceOf(Swap.Accepted.class);
        return ((Swap.Accepted) swap).revision();
    }

    private record Counting(AtomicInteger told) implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            told.incrementAndGet();
        }

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
