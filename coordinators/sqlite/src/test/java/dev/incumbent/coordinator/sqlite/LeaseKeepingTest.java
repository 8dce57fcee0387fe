package dev.incumbent.coordinator.sqlite;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.claim;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.tck.Asking;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leases beside whatever else happens to the file: other writers, stopped and killed processes, another boot. */
@Tag("realtime")
final class LeaseKeepingTest {
    /** Long enough for four questions to a process on a busy machine. */
    private static final Duration OF_ANOTHER_PROCESS = Duration.ofSeconds(6);

    private SqliteRig rig;
    private Coordinator one;

    @BeforeEach
    void open() throws IOException {
        rig = new SqliteRig();
        one = rig.connect();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void noLeaseIsLostBesideWritersThatNeverPause() throws Exception {
        Duration lease = Duration.ofSeconds(4);
        LeaseId id = granted(one, lease).id();
        rig.execute("create table noise(line text)");
        AtomicBoolean ended = new AtomicBoolean();
        AtomicLong written = new AtomicLong();
        CountDownLatch started = new CountDownLatch(2);
        Thread[] writers = {saturating(ended, written, started), saturating(ended, written, started)};
        started.await();

        for (int i = 0; i < 60; i++) {
            get(one.keepAlive(id));
            rig.passTime(Duration.ofMillis(50));
        }

        ended.set(true);
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(written.get()).as("the writers wrote").isPositive();
        get(one.keepAlive(id));
    }

    @Test
    void aStoppedProcessHoldsNobodyUpForLongerThanItsLockAndAKilledOneNotAtAll() throws Exception {
        Revision first = swapped(one, Revision.ABSENT, vacant(1));
        try (ClientProcess process = new ClientProcess()) {
            Coordinator remote = process.open(rig.file(), SqliteRig.REQUEST_TIMEOUT);
            process.call("", "lock", rig.file()).join();
            new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                    .start()
                    .waitFor();

            assertThat(found(one).revision()).isEqualTo(first);
            CoordinatorException locked = failure(one.swap(ELECTION, first, vacant(2)));
            assertThat(locked).hasMessageContaining("stayed locked");
            assertThat(locked.mayHaveApplied()).isFalse();

            process.kill();
            swapped(one, first, vacant(2));
            assertThat(remote).isNotNull();
        }
    }

    @Test
    void theLeaseOfAKilledProcessDiesAndItsTermIsKept() throws Exception {
        Revision claimed;
        try (ClientProcess process = new ClientProcess()) {
            Coordinator remote = process.open(rig.file(), SqliteRig.REQUEST_TIMEOUT);
            LeaseId lease = granted(remote, OF_ANOTHER_PROCESS).id();
            claimed = swapped(remote, Revision.ABSENT, claim(lease));
            get(remote.enlist(ELECTION, Asking.enlisted(lease)));
            process.kill();
        }
        assertThat(found(one).leaseAlive()).isTrue();

        rig.passTime(OF_ANOTHER_PROCESS);

        assertThat(found(one).leaseAlive()).isFalse();
        assertThat(found(one).revision()).isEqualTo(claimed);
        assertThat(get(one.candidates(Set.of(ELECTION))).values()).allMatch(java.util.List::isEmpty);
        assertThat(rig.text("select count(*) from incumbent_candidate")).isEqualTo("0");
    }

    @Test
    void aLeaseOfAnotherBootIsDead() throws Exception {
        LeaseId lease = granted(one, Duration.ofHours(1)).id();
        swapped(one, Revision.ABSENT, claim(lease));

        Coordinator afterReboot = rig.remembered(rig.open(rig.file(), Mode.CREATE, new Boot("another")));

        assertThat(found(afterReboot).leaseAlive()).isFalse();
        assertThat(failure(afterReboot.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
        assertThat(failure(one.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
    }

    /** A process that cannot read the boot's id, of an older build, ends nobody's lease, and nobody ends its. */
    @Test
    void whoKnowsTheBootAndWhoDoesNotLeaveEachOthersLeasesAlive() throws Exception {
        Coordinator blind = rig.remembered(rig.open(rig.file(), Mode.CREATE, new Boot("")));
        LeaseId ofTheBlind = granted(blind, rig.lease()).id();
        LeaseId ofOne = granted(one, rig.lease()).id();
        Revision claimed = swapped(one, Revision.ABSENT, claim(ofTheBlind));

        get(one.candidates(Set.of(ELECTION)));
        get(blind.candidates(Set.of(ELECTION)));
        assertThat(found(one).leaseAlive()).isTrue();
        assertThat(found(one).leaseRemaining().orElseThrow()).isPositive();
        get(blind.keepAlive(ofTheBlind));
        get(one.keepAlive(ofOne));

        rig.passTime(rig.lease());

        assertThat(found(one).leaseAlive()).isFalse();
        assertThat(found(blind).revision()).isEqualTo(claimed);
        assertThat(failure(blind.keepAlive(ofTheBlind))).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void whereNoBootIsKnownALeaseThatEndsLaterThanItsLengthIsAnotherBoots() throws Exception {
        Boot unknown = new Boot("");
        Coordinator client = rig.remembered(rig.open(rig.file(), Mode.CREATE, unknown));
        swapped(
                client,
                Revision.ABSENT,
                claim(granted(client, Duration.ofHours(1)).id()));
        assertThat(found(client).leaseAlive()).isTrue();

        rig.stepStoreClock(Duration.ofHours(-2));

        assertThat(found(client).leaseAlive()).isFalse();
    }

    @Test
    void whoListsCandidatesForgetsTheLongDead() throws Exception {
        for (int i = 0; i < 5; i++) {
            granted(one, rig.lease());
        }
        LeaseId kept = granted(one, Duration.ofDays(1)).id();
        rig.stepStoreClock(Duration.ofHours(1));

        get(one.candidates(Set.of(ELECTION)));

        assertThat(rig.text("select group_concat(id) from incumbent_lease")).isEqualTo(kept.value());
    }

    private Thread saturating(AtomicBoolean ended, AtomicLong written, CountDownLatch started) {
        Thread writer = new Thread(() -> {
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + rig.file());
                    Statement statement = connection.createStatement()) {
                statement.execute("pragma busy_timeout=10000");
                while (!ended.get()) {
                    statement.execute("insert into noise values(hex(randomblob(2000)))");
                    written.incrementAndGet();
                    started.countDown();
                }
            } catch (java.sql.SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        writer.start();
        return writer;
    }
}
