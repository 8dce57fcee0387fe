package dev.incumbent.coordinator.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that is deleted, moved or replaced under live clients is a lost lease and a gap, and never makes two leaders. */
final class ReplacedFileTest {
    private static final ElectionName ELECTION = new ElectionName("billing/closer");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private SqliteRig rig;
    private Coordinator one;
    private Coordinator other;

    @BeforeEach
    void open() throws IOException {
        rig = new SqliteRig();
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
    void aDeletedSideFileLosesNothingAndIsHealed(String suffix) throws Exception {
        Revision kept = swapped(one, Revision.ABSENT, vacant(1));

        Files.delete(sibling(suffix));

        assertThat(found(one).revision()).isEqualTo(kept);
        Revision next = swapped(other, kept, vacant(2));
        assertThat(found(one).revision()).isEqualTo(next);
        assertThat(found(other).revision()).isEqualTo(next);
        assertThat(integrity()).isEqualTo("ok");
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

    private LeaseId granted() throws Exception {
        return get(one.grant(new CandidateId("ada@host-1-" + UUID.randomUUID()), rig.lease()))
                .id();
    }

    private static LeaderRecord claim(LeaseId lease) {
        Candidate ada = new Candidate(new CandidateId("ada@host-1-x"), "ada", "");
        return LeaderRecord.EMPTY
                .claimedBy(1, ada, lease, SqliteRig.REQUEST_TIMEOUT, NOON)
                .written(UUID.randomUUID().toString());
    }

    private static LeaderRecord vacant(long term) {
        return LeaderRecord.EMPTY.vacated(term, NOON).written(UUID.randomUUID().toString());
    }

    private static Revision swapped(Coordinator client, Revision expected, LeaderRecord next) throws Exception {
        return swapped(client, ELECTION, expected, next);
    }

    private static Revision swapped(Coordinator client, ElectionName election, Revision expected, LeaderRecord next)
            throws Exception {
        Swap swap = get(client.swap(election, expected, next));
        assertThat(swap).isInstanceOf(Swap.Accepted.class);
        return ((Swap.Accepted) swap).revision();
    }

    private static Reading reading(Coordinator client) throws Exception {
        return get(client.read(Set.of(ELECTION))).values().iterator().next();
    }

    private static ObservedRecord found(Coordinator client) throws Exception {
        assertThat(reading(client)).isInstanceOf(Reading.Found.class);
        return ((Reading.Found) reading(client)).record();
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).get();
    }

    private static CoordinatorException failure(CompletionStage<?> stage) throws Exception {
        try {
            return new CoordinatorException("answered " + get(stage), false);
        } catch (ExecutionException e) {
            return (CoordinatorException) Optional.ofNullable(e.getCause()).orElseThrow();
        }
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
