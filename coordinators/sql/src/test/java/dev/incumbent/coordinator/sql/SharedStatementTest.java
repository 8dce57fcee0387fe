package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.claim;
import static dev.incumbent.coordinator.tck.Asking.enlisted;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.tck.Asking;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.time.SystemTimeline;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** On PostgreSQL calls that wait together are one statement, and each is answered as if it had been alone. */
@Tag("patient")
@Execution(ExecutionMode.SAME_THREAD)
class SharedStatementTest {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final int MANY = 600;

    private static final SystemTimeline TIMELINE = new SystemTimeline();
    private static final PostgresServer SERVER =
            PostgresServer.start(List.of("shared_preload_libraries=pg_stat_statements"), Map.of());

    private final String office = "office-" + UUID.randomUUID();
    private final Coordinator client =
            new SqlCoordinatorProvider().open(SERVER.jdbcUrl(), TIMELINE, REQUEST_TIMEOUT, Mode.CREATE);

    @BeforeAll
    static void count() {
        SERVER.psql("create extension pg_stat_statements");
    }

    @AfterEach
    void close() {
        client.close();
    }

    @AfterAll
    static void stop() {
        SERVER.close();
        TIMELINE.close();
    }

    @Test
    void hundredsOfElectionsAreEnlistedInCreatedAndSwappedByAFewStatements() throws Exception {
        long before = writes();
        LeaseId lease = granted(client, Duration.ofMinutes(1)).id();
        List<LeaderRecord> claims = new ArrayList<>();
        List<CompletionStage<Void>> enlistings = new ArrayList<>();
        List<CompletionStage<Swap>> swaps = new ArrayList<>();

        for (int i = 0; i < MANY; i++) {
            enlistings.add(client.enlist(election(i), enlisted(lease)));
        }
        for (CompletionStage<Void> one : enlistings) {
            Asking.await(one);
        }
        for (int i = 0; i < MANY; i++) {
            claims.add(claim(lease));
            swaps.add(client.swap(election(i), Revision.ABSENT, claims.get(i)));
        }
        for (int i = 0; i < MANY; i++) {
            assertThat(get(swaps.get(i)))
                    .isEqualTo(new Swap.Accepted(new Revision(claims.get(i).nonce())));
        }
        swaps.clear();
        for (int i = 0; i < MANY; i++) {
            swaps.add(client.swap(election(i), new Revision(claims.get(i).nonce()), vacant(2)));
        }
        for (CompletionStage<Swap> one : swaps) {
            assertThat(get(one)).isInstanceOf(Swap.Accepted.class);
        }

        assertThat(get(client.candidates(elections())).values()).hasSize(MANY).allMatch(list -> list.size() == 1);
        assertThat(get(client.read(elections())).values())
                .allSatisfy(reading -> assertThat(
                                ((Reading.Found) reading).record().record().term())
                        .isEqualTo(2));
        assertThat(writes() - before).isLessThan(MANY / 4);
    }

    @Test
    void eachIsRefusedByItselfAndShownWhatStands() throws Exception {
        LeaseId lease = granted(client, Duration.ofMinutes(1)).id();
        LeaderRecord standing = claim(lease);
        List<CompletionStage<Swap>> swaps = new ArrayList<>();
        for (int i = 0; i < MANY; i += 7) {
            Asking.await(client.swap(election(i), Revision.ABSENT, standing));
        }

        for (int i = 0; i < MANY; i++) {
            swaps.add(client.swap(election(i), Revision.ABSENT, claim(lease)));
        }

        for (int i = 0; i < MANY; i++) {
            Swap swap = get(swaps.get(i));
            assertThat(swap).isInstanceOf(i % 7 == 0 ? Swap.Refused.class : Swap.Accepted.class);
            if (swap instanceof Swap.Refused refused) {
                assertThat(refused.current().orElseThrow().record().nonce()).isEqualTo(standing.nonce());
            }
        }
    }

    /** Though a caller gave all of them one nonce. */
    @Test
    void whoWritesTheSameIsAnsweredForItsOwnElection() throws Exception {
        LeaseId lease = granted(client, Duration.ofMinutes(1)).id();
        LeaderRecord same = claim(lease);
        for (int i = 0; i < 50; i += 5) {
            Asking.await(client.swap(election(i), Revision.ABSENT, claim(lease)));
        }
        List<CompletionStage<Swap>> swaps = new ArrayList<>();

        for (int i = 0; i < 50; i++) {
            swaps.add(client.swap(election(i), Revision.ABSENT, same));
        }

        for (int i = 0; i < 50; i++) {
            assertThat(get(swaps.get(i))).isInstanceOf(i % 5 == 0 ? Swap.Refused.class : Swap.Accepted.class);
        }
    }

    @Test
    void oneIsWonByOneOnlyWhereManyWantTheSame() throws Exception {
        LeaseId lease = granted(client, Duration.ofMinutes(1)).id();
        List<CompletionStage<Swap>> swaps = new ArrayList<>();

        for (int i = 0; i < MANY; i++) {
            swaps.add(client.swap(election(i % 3), Revision.ABSENT, claim(lease)));
        }

        int won = 0;
        for (CompletionStage<Swap> one : swaps) {
            won += get(one) instanceof Swap.Accepted ? 1 : 0;
        }
        assertThat(won).isEqualTo(3);
    }

    @Test
    void whoseLeaseIsDeadIsToldSoAmongOthersWhoAreEnlisted() throws Exception {
        LeaseId alive = granted(client, Duration.ofMinutes(1)).id();
        LeaseId dead = granted(client, Duration.ofMinutes(1)).id();
        Asking.await(client.revoke(dead));
        List<CompletionStage<Void>> enlistings = new ArrayList<>();

        for (int i = 0; i < 50; i++) {
            enlistings.add(client.enlist(election(i), enlisted(i % 5 == 0 ? dead : alive)));
        }

        for (int i = 0; i < 50; i++) {
            if (i % 5 == 0) {
                assertThat(failure(enlistings.get(i))).isInstanceOf(LeaseLostException.class);
            } else {
                Asking.await(enlistings.get(i));
            }
        }
        assertThat(get(client.candidates(Set.of(election(0), election(1)))))
                .containsEntry(election(0), List.of())
                .containsEntry(election(1), List.of(enlisted(alive)));
    }

    /** One whose row somebody has locked waits alone. */
    @Test
    void aRowThatIsLockedKeepsNoOtherWaiting() throws Exception {
        LeaseId lease = granted(client, Duration.ofMinutes(1)).id();
        LeaderRecord standing = claim(lease);
        for (int i = 0; i < 40; i++) {
            Asking.await(client.swap(election(i), Revision.ABSENT, standing));
        }
        List<CompletionStage<Swap>> swaps = new ArrayList<>();

        try (Connection other = DriverManager.getConnection(SERVER.jdbcUrl())) {
            other.setAutoCommit(false);
            try (Statement locking = other.createStatement()) {
                locking.execute("select * from incumbent_election where name='" + election(20) + "' for update");
            }
            for (int i = 0; i < 40; i++) {
                swaps.add(client.swap(election(i), new Revision(standing.nonce()), vacant(2)));
            }
            for (int i = 0; i < 40; i++) {
                if (i != 20) {
                    assertThat(get(swaps.get(i))).isInstanceOf(Swap.Accepted.class);
                }
            }
            assertThat(swaps.get(20).toCompletableFuture()).isNotDone();
            other.rollback();
        }

        assertThat(get(swaps.get(20))).isInstanceOf(Swap.Accepted.class);
    }

    private ElectionName election(int number) {
        return new ElectionName(office + "/" + number);
    }

    private Set<ElectionName> elections() {
        Set<ElectionName> all = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            all.add(election(i));
        }
        return all;
    }

    /** How many statements wrote records or candidates. */
    private static long writes() {
        return Long.parseLong(SERVER.psql(
                        "select coalesce(sum(calls), 0) from pg_stat_statements where query ~ 'incumbent_(election|candidate)'"
                                + " and query ~ '^(with|insert|update|delete)'")
                .strip());
    }
}
