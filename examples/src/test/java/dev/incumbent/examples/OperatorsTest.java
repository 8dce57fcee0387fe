package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionAdmin;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.Observation;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.SinkId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What operators do and see, each example played. */
@Timeout(60)
class OperatorsTest {
    private static final String JOB = "billing/closer";
    private static final ElectionName ELECTION = new ElectionName(JOB);

    private final BlockingQueue<String> shown = new LinkedBlockingQueue<>();

    @TempDir
    Path folder;

    private Office office;

    @BeforeEach
    void open() {
        office = new Office(folder);
    }

    @AfterEach
    void close() {
        office.close();
    }

    private Candidacy stand(Elections elections, Sink sink) {
        return elections.election(JOB).guarding(sink).campaign(office::leadUntilInterrupted);
    }

    private void awaitShown(String end) throws InterruptedException {
        String next = "";
        while (!next.endsWith(end)) {
            next = shown.poll(20, TimeUnit.SECONDS);
            assertThat(next).as("nothing that ends in '%s' was shown", end).isNotNull();
        }
    }

    private static void awaitCandidates(ElectionAdmin admin, int count) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        int seen = -1;
        while (seen != count && System.nanoTime() - end < 0) {
            seen = admin.status()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS)
                    .candidates()
                    .size();
        }
        assertThat(seen).isEqualTo(count);
    }

    @Test
    void nobodyLeadsWhileTheSchemaChanges() throws Exception {
        Sink sink = office.sink();
        Candidacy candidacy = stand(office.elections("ada"), sink);
        Leadership before = office.begun.take();
        ElectionAdmin admin = office.elections("operator").admin(JOB);

        new QuietDeployment(admin, List.of(sink), progress -> shown.add(progress.toString()))
                .run(() -> assertThat(candidacy.leadership()).isEmpty());

        assertThat(before.ended().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .isEqualTo(EndReason.FROZEN);
        assertThat(office.begun.take().token()).isGreaterThan(before.token());
        assertThat(shown).isNotEmpty();
        assertThatThrownBy(() -> new QuietDeployment(admin, List.of(), progress -> {}).run(() -> shown.add("changed")))
                .as("a sink of the record is left open")
                .isInstanceOf(IllegalStateException.class);
        assertThat(shown).doesNotContain("changed");
    }

    @Test
    void aHostThatIsCordonedStandsBehind() throws Exception {
        stand(office.elections("ada"), office.sink());
        assertThat(office.begun.take().term().leader().name()).isEqualTo("ada");
        ElectionAdmin admin = office.elections("operator").admin(JOB);
        stand(office.elections("bob"), office.sink());
        awaitCandidates(admin, 2);
        stand(office.elections("cay"), office.sink());
        awaitCandidates(admin, 3);

        assertThat(RollingRestart.cordon(admin, "bob", "a new disk")).isEmpty();
        assertThat(RollingRestart.cordon(admin, "bob", "another")).isPresent();

        Instant tonight = admin.status()
                .toCompletableFuture()
                .join()
                .observed()
                .record()
                .since()
                .plus(Duration.ofHours(8));
        assertThat(RollingRestart.planMove(admin, "cay", tonight)).isEmpty();
        assertThat(RollingRestart.planMove(admin, "bob", tonight)).isPresent();
        assertThat(RollingRestart.cancelMove(admin)).contains(tonight);
        assertThat(RollingRestart.cancelMove(admin)).isEmpty();
        assertThat(RollingRestart.isMovedAway(admin)).isTrue();
        assertThat(office.begun.take().term().leader().name()).isEqualTo("cay");
        assertThat(RollingRestart.uncordon(admin, "bob")).isTrue();
        assertThat(RollingRestart.uncordon(admin, "bob")).isFalse();
    }

    @Test
    void aLeaderIsMovedAwayBeforeItsRestart() throws Exception {
        Observation observation = office.elections("board").election(JOB).observe(new ChangeBoard(shown::add));
        Candidacy ada = stand(office.elections("ada"), office.sink());
        awaitShown("is led by ada");
        assertThat(office.begun.take().token().value()).isEqualTo(1);
        assertThat(new Readiness(ada).answer()).isEqualTo("200 leads term 1");
        Candidacy bob = stand(office.elections("bob"), office.sink());
        ElectionAdmin admin = office.elections("operator").admin(JOB);
        awaitCandidates(admin, 2);

        assertThat(RollingRestart.isMovedAway(admin)).isTrue();

        awaitShown("is led by bob; before it ada, until it TRANSFERRED");
        assertThat(new Readiness(ada).answer()).isEqualTo("503 CANDIDATE");
        Leadership bobs = bob.awaitLeadership();
        assertThat(RollingRestart.handOver(ada, bobs.term().leader().id())).contains("this process does not lead");
        ada.close();
        awaitCandidates(admin, 1);
        assertThat(RollingRestart.isMovedAway(admin))
                .as("to nobody: it resigns")
                .isTrue();
        assertThat(RollingRestart.retire(admin, "no-such-sink")).isFalse();
        observation.close();
    }

    @Test
    void aSinkOfOnesOwnLetsTheLeaderAloneWrite() throws Exception {
        try (LedgerSink sink = new LedgerSink(new SinkId("ledger-1"))) {
            BlockingQueue<Leadership> led = new LinkedBlockingQueue<>();
            AtomicInteger steps = new AtomicInteger();
            BlockingQueue<Object> validity = new LinkedBlockingQueue<>();
            RemoteWorker worker = new RemoteWorker(validity::add, () -> steps.incrementAndGet() < 3);
            Candidacy candidacy = office.elections("ada")
                    .election(JOB)
                    .guarding(sink)
                    .campaign(leadership -> {
                        worker.lead(leadership);
                        led.add(leadership);
                        office.leadUntilInterrupted(leadership);
                    });
            Leadership leadership = led.take();
            FencingToken token = leadership.token();

            assertThat(RefusedWrites.written(leadership, () -> sink.append(ELECTION, token, "first")))
                    .isTrue();

            assertThat(sink.lines()).containsExactly("first");
            assertThat(steps).hasValue(3);
            assertThat(validity.poll(20, TimeUnit.SECONDS)).isNotNull();
            assertThatThrownBy(() -> sink.append(ELECTION, new FencingToken(token.value() + 1), "early"))
                    .isInstanceOf(NotRaisedException.class);
            candidacy.close();
            stand(office.elections("bob"), sink);
            office.begun.take();
            office.begun.take();
            assertThatThrownBy(() -> sink.append(ELECTION, token, "late")).isInstanceOf(StaleTokenException.class);
            assertThat(RefusedWrites.written(leadership, () -> sink.append(ELECTION, token, "late")))
                    .isFalse();
            assertThat(sink.lines()).containsExactly("first");
        }
    }

    @Test
    void aSinkThatSaidNothingIsAskedOnceMoreAndNotForEver() throws Exception {
        stand(office.elections("ada"), office.sink());
        Leadership leadership = office.begun.take();
        AtomicInteger asked = new AtomicInteger();

        assertThat(RefusedWrites.written(leadership, () -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new NotAdmittedException("busy");
                    }
                }))
                .isTrue();
        assertThatThrownBy(() -> RefusedWrites.written(leadership, () -> {
                    asked.incrementAndGet();
                    throw new NotAdmittedException("busy");
                }))
                .isInstanceOf(NotAdmittedException.class);
        assertThat(asked).hasValue(4);
    }

    @Test
    void aTraceTellsWhatWasDecided() throws Exception {
        Elections elections = Elections.connect(office.uri())
                .name("ada")
                .timing(Office.TIMING)
                .trace(new StepLog(shown::add))
                .open();
        try (elections) {
            Candidacy candidacy = stand(elections, office.sink());
            office.begun.take();
            String line = "";
            while (!line.contains("BeginTerm")) {
                line = shown.poll(20, TimeUnit.SECONDS);
                assertThat(line).as("a term begins in the trace").isNotNull();
            }
            assertThat(line).contains(" " + JOB + ": ");
            candidacy.close();
        }
    }
}
