package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.redis.RedisUri;
import dev.incumbent.redis.ServerAddress;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.SmallDisk;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a server still does, and what it refuses, when it is full or has lost its replicas. */
@Tag("realtime")
class ServerTroubleTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final ElectionName ELECTION = new ElectionName("billing/closer");
    private static final Candidate ADA = new Candidate(new CandidateId("ada"), "ada", "");

    private final SystemTimeline time = new SystemTimeline();
    private final RedisServer server = RedisServer.start();
    private final Coordinator client =
            new RedisCoordinatorProvider().open(server.uri(), time, Duration.ofSeconds(10), Mode.CREATE);
    private LeaseId lease;
    private Revision led;

    @BeforeEach
    void lead() {
        lease = get(client.grant(ADA.id(), LEASE)).id();
        led = swapped(Revision.ABSENT, 1);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        time.close();
    }

    @Test
    void aFullMemoryKeepsLeasesAndRecordsAndRefusesNewLeases() {
        server.ask("CONFIG", "SET", "maxmemory", "1");

        get(client.keepAlive(lease));
        swapped(led, 2);
        assertThat(get(client.read(Set.of(ELECTION))).get(ELECTION)).isInstanceOf(Reading.Found.class);
        CoordinatorException full = failure(client.grant(ADA.id(), LEASE));

        assertThat(full).hasMessageContaining("takes no writes, it is full: OOM");
        assertThat(full.mayHaveApplied()).isFalse();
        server.ask("CONFIG", "SET", "maxmemory", "0");
        get(client.grant(ADA.id(), LEASE));
    }

    @Test
    void aMasterWithoutTheReplicasThatItMustHaveRefusesEveryCall() {
        server.ask("CONFIG", "SET", "min-replicas-to-write", "1");

        assertRefused(client.keepAlive(lease));
        assertRefused(client.swap(ELECTION, led, claim(2)));
        assertRefused(client.grant(ADA.id(), LEASE));
        assertRefused(client.candidates(Set.of(ELECTION)));
        assertRefused(client.elections(""));
        assertRefused(client.read(Set.of(ELECTION)));
    }

    private static void assertRefused(CompletionStage<?> call) {
        CoordinatorException refused = failure(call);
        assertThat(refused).hasMessageContaining("NOREPLICAS");
        assertThat(refused.mayHaveApplied()).isFalse();
    }

    /** The server tells so once it could not write its log: what was acknowledged just before is not in it. */
    @Test
    void aServerWhoseLogHasNoRoomRefusesWrites() {
        assumeTrue(SmallDisk.isPossible(), "no disk can be mounted here");
        try (SmallDisk disk = SmallDisk.ofMegabytes(8);
                RedisServer small =
                        RedisServer.start("--dir", disk.folder("redis").path().toString());
                Coordinator other =
                        new RedisCoordinatorProvider().open(small.uri(), time, Duration.ofSeconds(10), Mode.CREATE)) {
            get(other.grant(ADA.id(), LEASE));
            disk.fill();
            Waiting.until(
                    "the log is full",
                    () -> small.ask("SET", "filler", "x".repeat(10_000)).startsWith("-MISCONF"));

            CoordinatorException full = failure(other.grant(ADA.id(), LEASE));

            assertThat(full).hasMessageContaining("takes no writes, it is full: MISCONF");
            assertThat(full.mayHaveApplied()).isFalse();
            disk.makeRoom();
            Waiting.until("room", () -> small.ask("SET", "filler", "x").equals("+OK"));
            get(other.grant(ADA.id(), LEASE));
        }
    }

    /** The words of a server whose log has no room. */
    @Test
    void aFullDiskIsToldAsNotApplied() {
        ServerAddress at =
                RedisUri.parse("redis://h", Optional.empty()).servers().get(0);

        CoordinatorException full =
                Failures.refused(at, "MISCONF Errors writing to the AOF file: No space left on device", true);

        assertThat(full).hasMessageContaining("takes no writes, it is full: MISCONF");
        assertThat(full.mayHaveApplied()).isFalse();
    }

    private Revision swapped(Revision expected, long term) {
        Swap swap = get(client.swap(ELECTION, expected, claim(term)));
        assertThat(swap).isInstanceOf(Swap.Accepted.class);
        return ((Swap.Accepted) swap).revision();
    }

    private LeaderRecord claim(long term) {
        return LeaderRecord.EMPTY
                .claimedBy(term, ADA, lease, LEASE, Instant.EPOCH)
                .written(UUID.randomUUID().toString());
    }

    private static <T> T get(CompletionStage<T> call) {
        return call.toCompletableFuture().join();
    }

    private static CoordinatorException failure(CompletionStage<?> call) {
        try {
            return new CoordinatorException("it was answered: " + get(call), false);
        } catch (CompletionException e) {
            return (CoordinatorException) Optional.ofNullable(e.getCause()).orElseThrow();
        }
    }
}
