package dev.incumbent.coordinator.sqlite;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.await;
import static dev.incumbent.coordinator.tck.Asking.claim;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.reading;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.tck.Asking;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that is deleted, moved or replaced under live clients is a lost lease and a gap, and never makes two leaders. */
@Tag("field")
@Tag("patient")
final class ReplacedFileTest {
    private static final Duration PATIENT = Duration.ofSeconds(10);

    private SqliteRig rig;
    private Coordinator one;
    private Coordinator other;

    @BeforeEach
    void open() throws IOException {
        rig = new SqliteRig(PATIENT);
        one = rig.connect();
        other = rig.connect();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aDeletedFileLosesTheLease() throws Exception {
        LeaseId lease = granted();

        Files.delete(rig.file());

        assertThat(failure(one.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
        assertThat(failure(one.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-wal", "-shm"})
    void aFileMovedAwayLosesTheLeaseAlsoWhenItIsMovedBack(String suffix) throws Exception {
        LeaseId lease = granted();
        Path moved = sibling(suffix);

        Files.move(moved, sibling("-elsewhere"));
        assertThat(failure(one.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
        Files.move(sibling("-elsewhere"), moved, StandardCopyOption.REPLACE_EXISTING);

        assertThat(failure(one.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aCopyRenamedIntoTheFilesPlaceLosesTheLease() throws Exception {
        LeaseId lease = granted();
        rig.backUp();

        rig.restore();

        assertThat(failure(one.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
        assertThat(failure(other.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aPlainCopyRenamedIntoPlaceUnderTwoProcessesIsWhereTheyMeet() throws Exception {
        try (ClientProcess process = new ClientProcess()) {
            Coordinator remote = process.open(rig.file(), PATIENT);
            Files.copy(rig.file(), sibling("-yesterday"));
            for (int i = 0; i < 100; i++) {
                ElectionName many = new ElectionName("many/" + i);
                assertThat(get(one.swap(many, Revision.ABSENT, vacant(1)))).isInstanceOf(Swap.Accepted.class);
            }
            Revision forgotten = swapped(remote, Revision.ABSENT, vacant(1));

            Files.move(sibling("-yesterday"), rig.file(), StandardCopyOption.REPLACE_EXISTING);
            Swap late = get(remote.swap(ELECTION, forgotten, vacant(2)));
            Revision anew = swapped(one, Revision.ABSENT, vacant(3));

            assertThat(late).isInstanceOf(Swap.Refused.class);
            assertThat(found(remote).revision()).isEqualTo(anew);
            assertThat(get(remote.elections(""))).containsExactly(ELECTION);
            assertThat(integrity()).isEqualTo("ok");
        }
    }

    @Test
    void afterADeletionAllClientsMeetInTheNewFile() throws Exception {
        Revision forgotten = swapped(one, Revision.ABSENT, claim(granted()));

        Files.delete(rig.file());
        Swap late = get(one.swap(ELECTION, forgotten, claim(granted())));
        Revision anew = swapped(other, Revision.ABSENT, claim(granted()));

        assertThat(late).isInstanceOf(Swap.Refused.class);
        assertThat(found(one).revision()).isEqualTo(anew);
        assertThat(found(other).revision()).isEqualTo(anew);
    }

    @Test
    void afterARenameAllClientsMeetInTheCopyWithoutTheOldLog() throws Exception {
        Revision kept = swapped(one, Revision.ABSENT, vacant(1));
        rig.backUp();
        Revision forgotten = swapped(one, kept, vacant(2));

        rig.restore();

        assertThat(found(other).revision()).isEqualTo(kept);
        assertThat(get(one.swap(ELECTION, forgotten, vacant(3)))).isInstanceOf(Swap.Refused.class);
        Revision next = swapped(other, kept, vacant(3));
        assertThat(found(one).revision()).isEqualTo(next);
        assertThat(integrity()).isEqualTo("ok");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm"})
    void aDeletedSideFileLosesNothingAndIsHealedOnceAllHaveLetItGo(String suffix) throws Exception {
        Revision kept = swapped(one, Revision.ABSENT, vacant(1));

        Files.delete(sibling(suffix));
        await(one.read(Set.of(ELECTION)));
        await(other.read(Set.of(ELECTION)));

        assertThat(found(one).revision()).isEqualTo(kept);
        assertThat(found(other).revision()).isEqualTo(kept);
        Revision next = swapped(other, kept, vacant(2));
        assertThat(found(one).revision()).isEqualTo(next);
        assertThat(integrity()).isEqualTo("ok");
    }

    /** A process loses its locks on a file that it opens and closes. An SQLite before 3.51 then takes itself for the last one, and deletes log and index. */
    @ParameterizedTest
    @ValueSource(strings = {"", "-shm"})
    void aLogThatAnOldSqliteHasDeletedLosesTheLeaseAndAnotherIsBegun(String alsoClosed) throws Exception {
        Revision kept = swapped(one, Revision.ABSENT, vacant(1));
        LeaseId lease = granted();
        for (String suffix : List.of("", alsoClosed)) {
            assertThat(Files.readAllBytes(sibling(suffix))).isNotEmpty();
        }
        lookByTheClient();
        assumeTrue(Files.notExists(sibling("-wal")), "sqlite3 is of version 3.51 or later, or was refused its look");

        assertThat(failure(one.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
        assertThat(found(other).revision()).isEqualTo(kept);
        Revision next = swapped(one, kept, claim(granted()));
        assertThat(found(other).revision()).isEqualTo(next);
        try (ClientProcess process = new ClientProcess()) {
            assertThat(found(process.open(rig.file(), PATIENT)).revision()).isEqualTo(next);
        }
        assertThat(integrity()).isEqualTo("ok");
    }

    private void lookByTheClient() throws Exception {
        Process look = new ProcessBuilder("sqlite3", rig.file().toString(), "select count(*) from incumbent_election")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(look.waitFor()).isZero();
    }

    @Test
    void watchersAreToldAGapAndThenTheNewFilesState() throws Exception {
        swapped(one, Revision.ABSENT, vacant(1));
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        other.watch(ELECTION, new Telling(heard));
        assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("term 1");

        Files.delete(rig.file());

        assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("gap");
        assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("term 0");
        swapped(one, Revision.ABSENT, vacant(5));
        assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("term 5");
    }

    @Test
    void aRestoreBySqliteItselfIsAGapAndALostLeaseToo() throws Exception {
        Revision kept = swapped(one, Revision.ABSENT, vacant(1));
        rig.backUp();
        LeaseId lease = granted();
        Revision forgotten = swapped(one, kept, claim(lease));
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        other.watch(ELECTION, new Telling(heard));
        assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("term 1");

        rig.execute("restore from " + sibling("").resolveSibling("yesterday.db"));

        assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("gap");
        assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("term 1");
        assertThat(found(other).revision()).isEqualTo(kept);
        assertThat(get(one.swap(ELECTION, forgotten, vacant(2)))).isInstanceOf(Swap.Refused.class);
        assertThat(failure(one.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void theFolderRemovedWithAllInItIsMadeAnew() throws Exception {
        swapped(one, Revision.ABSENT, vacant(1));
        for (String suffix : List.of("", "-wal", "-shm", "-lock")) {
            Files.delete(sibling(suffix));
        }
        Files.delete(rig.file().getParent());

        assertThat(reading(one)).isInstanceOf(Reading.Absent.class);
        swapped(other, Revision.ABSENT, vacant(2));
        assertThat(found(one).record().term()).isEqualTo(2);
    }

    @Test
    void anotherProcessMeetsUsInTheNewFileAndItsLeaseIsLostToo() throws Exception {
        try (ClientProcess process = new ClientProcess()) {
            Coordinator remote = process.open(rig.file(), PATIENT);
            LeaseId theirs = Asking.granted(remote, rig.lease()).id();
            Revision forgotten = swapped(remote, Revision.ABSENT, claim(theirs));

            Files.delete(rig.file());
            Revision anew = swapped(one, Revision.ABSENT, claim(granted()));

            assertThat(failure(remote.keepAlive(theirs))).isInstanceOf(LeaseLostException.class);
            assertThat(get(remote.swap(ELECTION, forgotten, vacant(2)))).isInstanceOf(Swap.Refused.class);
            assertThat(found(remote).revision()).isEqualTo(anew);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-wal", "-shm"})
    void aSideFileDeletedUnderTwoProcessesLosesNothing(String suffix) throws Exception {
        one.close();
        try (ClientProcess process = new ClientProcess()) {
            Coordinator remote = process.open(rig.file(), PATIENT);
            Revision kept = swapped(remote, Revision.ABSENT, vacant(1));
            assertThat(found(other).revision()).isEqualTo(kept);

            Files.delete(sibling(suffix));
            Revision next = swapped(other, kept, vacant(2));

            assertThat(found(remote).revision()).isEqualTo(next);
            Revision last = swapped(remote, next, vacant(3));
            assertThat(found(other).revision()).isEqualTo(last);
            assertThat(integrity()).isEqualTo("ok");
        }
    }

    @Test
    void aCopyRenamedIntoPlaceAfterACrashIsNotReadThroughTheCrashedOnesLog() throws Exception {
        one.close();
        other.close();
        Revision kept;
        try (ClientProcess process = new ClientProcess()) {
            Coordinator remote = process.open(rig.file(), PATIENT);
            kept = swapped(remote, Revision.ABSENT, vacant(1));
            rig.backUp();
            Revision forgotten = swapped(remote, kept, vacant(2));
            swapped(remote, forgotten, claim(Asking.granted(remote, rig.lease()).id()));
            process.kill();
        }
        assertThat(sibling("-wal")).isNotEmptyFile();

        rig.restore();
        Coordinator afterwards = rig.connect();

        assertThat(found(afterwards).revision()).isEqualTo(kept);
        assertThat(integrity()).isEqualTo("ok");
    }

    @Test
    void aLogLeftByACrashIsReadWhereTheFileIsStillTheSame() throws Exception {
        one.close();
        other.close();
        Revision last;
        try (ClientProcess process = new ClientProcess()) {
            Coordinator remote = process.open(rig.file(), PATIENT);
            last = swapped(remote, Revision.ABSENT, vacant(1));
            process.kill();
        }

        assertThat(found(rig.connect()).revision()).isEqualTo(last);
    }

    private LeaseId granted() throws Exception {
        return Asking.granted(one, rig.lease()).id();
    }

    private Path sibling(String suffix) {
        return rig.file().resolveSibling(rig.file().getFileName() + suffix);
    }

    private String integrity() {
        return rig.text("pragma integrity_check");
    }

    /** Writes down what it hears, proofs left out. */
    private record Telling(BlockingQueue<String> heard) implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            heard.add("term " + record.record().term());
        }

        @Override
        public void gap() {
            heard.add("gap");
        }

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
