package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What the loss of nodes, of all of them, and of their disks does. */
@Tag("realtime")
@Execution(ExecutionMode.SAME_THREAD)
@ResourceLock(Quorums.TROUBLED)
final class TroubleTest {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

    /** By default Ratis leaves after a minute. */
    private static final Duration A_PAUSE = Duration.ofSeconds(70);

    private final ElectionName election = new ElectionName("trouble/" + UUID.randomUUID());
    private final SystemTimeline timeline = new SystemTimeline();
    private final QuorumCluster cluster = Quorums.troubled();
    private Coordinator client;
    private Revision current = Revision.ABSENT;
    private long term;

    @BeforeEach
    void connect() {
        client = new QuorumCoordinatorProvider().open(cluster.uri(), timeline, REQUEST_TIMEOUT, Mode.CREATE);
    }

    @AfterEach
    void disconnect() {
        client.close();
        timeline.close();
        cluster.startAll();
    }

    @Test
    void theLossOfTheLeaderChangesNothingAndALeaseOutlivesIt() {
        swap();
        GrantedLease lease = answered(() -> client.grant(new CandidateId("ada@h-1-x"), Duration.ofSeconds(5)));

        cluster.leader().process().kill();

        answered(() -> client.keepAlive(lease.id()));
        swap();
        assertThat(found()).isEqualTo(current);
    }

    @Test
    void aFrozenLeaderIsSucceededAndTellsNothingStaleWhenItWakes() {
        swap();
        QuorumCluster.Node old = cluster.leader();
        old.process().freeze();
        swap();
        swap();

        old.process().thaw();

        String only = "quorum://127.0.0.1:" + old.port();
        try (Coordinator there = new QuorumCoordinatorProvider().open(only, timeline, REQUEST_TIMEOUT, Mode.CREATE)) {
            assertThat(found(there)).isEqualTo(current);
        }
    }

    /** As long as it is handed entries, Ratis alone lets it lead. */
    @Test
    void aLeaderThatHearsNobodyLeadsNoMoreAlthoughItIsAskedAllTheTime() {
        swap();
        QuorumCluster.Node alone = cluster.leader();
        List<QuorumCluster.Node> others =
                cluster.nodes().stream().filter(node -> node != alone).toList();
        try {
            others.forEach(node -> node.process().freeze());

            Waiting.until("a call that surely did nothing", () -> surelyDidNothing(alone));
            assertThat(cluster.status(alone)).contains("\"leads\":false");
        } finally {
            others.forEach(node -> node.process().thaw());
        }
        current = found();
        swap();
    }

    /** Asks that node alone for a lease, and says whether that came back as not applied. */
    private static boolean surelyDidNothing(QuorumCluster.Node there) {
        return Calling.post(there, Line.of(Words.GRANT, "", "ada@h-1-x", "5000"))
                .startsWith(Words.LATER);
    }

    /** As a machine does that is suspended. Ratis' own nodes leave for good after a minute. */
    @Test
    @Tag("field")
    @Tag("release")
    void allGoOnAfterAMinuteInWhichTheyStoodStill() {
        swap();
        cluster.nodes().forEach(node -> node.process().freeze());
        assertThat(Waiting.within(A_PAUSE, () -> false)).isFalse();
        cluster.nodes().forEach(node -> node.process().thaw());

        assertThat(found()).isEqualTo(current);
        swap();
        cluster.nodes().forEach(TroubleTest::awaitReady);
    }

    /** The two others went on, and cannot do without it afterwards. */
    @Test
    @Tag("field")
    @Tag("release")
    void oneThatStoodStillForAMinuteTakesPartAgain() {
        swap();
        QuorumCluster.Node stood = cluster.leader();
        stood.process().freeze();
        assertThat(Waiting.within(A_PAUSE, () -> false)).isFalse();
        swap();
        stood.process().thaw();

        awaitReady(stood);
        cluster.nodes().stream()
                .filter(node -> node != stood)
                .findFirst()
                .orElseThrow()
                .process()
                .kill();
        swap();
        assertThat(found()).isEqualTo(current);
    }

    private static void awaitReady(QuorumCluster.Node node) {
        Waiting.until(
                "the readiness of " + node.name(),
                () -> Calling.post(node.port(), Health.READY, "", Optional.empty())
                                .statusCode()
                        == 200);
    }

    @Test
    void theLossOfTheMajorityStallsAndRecoversByItself() {
        swap();
        List<QuorumCluster.Node> lost = cluster.nodes().subList(0, 2);
        lost.forEach(node -> node.process().freeze());

        LeaderRecord next = next();
        assertThatThrownBy(() -> joined(client.swap(election, current, next))).isInstanceOf(CoordinatorException.class);
        lost.forEach(node -> node.process().thaw());

        Revision afterwards = found();
        assertThat(afterwards).isIn(current, new Revision(next.nonce()));
        LeaderRecord last = next();
        if (answered(() -> client.swap(election, afterwards, last)) instanceof Swap.Refused) {
            // What was uncertain lay at a frozen node, and came to the log only now.
            assertThat(found()).isEqualTo(new Revision(next.nonce()));
        } else {
            assertThat(found()).isEqualTo(new Revision(last.nonce()));
        }
        current = found();
        swap();
    }

    @Test
    void whatWasAcknowledgedOutlivesTheKillingOfAllNodesAndTheirSnapshots() throws IOException {
        for (int i = 0; i < 150; i++) {
            swap();
        }
        Path data = cluster.nodes().get(0).data();
        Waiting.until("a snapshot", () -> snapshots(data) > 0);
        assertThat(snapshots(data)).isBetween(1L, 2L);

        cluster.nodes().forEach(node -> node.process().kill());
        cluster.startAll();

        assertThat(found()).isEqualTo(current);
        swap();
    }

    @Test
    void aWipedDiskIsRefusedAndComesBackWhenToldTo() throws IOException {
        swap();
        QuorumCluster.Node wiped = cluster.nodes().get(2);
        wiped.process().kill();
        Path aside = wiped.data().resolveSibling("aside");
        Files.move(wiped.data(), aside);

        cluster.launch(wiped);
        Waiting.until("the end of the refused node", () -> !wiped.process().isRunning());
        assertThat(wiped.process().logTail()).contains("n3 does not start").contains("wiped or replaced");

        cluster.launch(wiped, "--rejoin");
        Waiting.until("its coming back", () -> wiped.process().logTail().contains("was taken in"));
        wiped.process().stop();
        cluster.startAll();
        cluster.nodes().get(0).process().kill();
        swap();
        assertThat(found()).isEqualTo(current);
        cluster.startAll();
        remove(aside);
    }

    @Test
    void allDisksPutBackFromOneBackupAreToldAsAGapBeforeAnythingOlder() throws IOException {
        swap();
        Revision older = current;
        cluster.nodes().forEach(node -> node.process().stop());
        for (QuorumCluster.Node node : cluster.nodes()) {
            copy(node.data(), node.data().resolveSibling(node.name() + "-copy"));
        }
        cluster.startAll();
        swap();
        List<String> heard = new CopyOnWriteArrayList<>();
        Watch watch = client.watch(election, new Hearing(heard));
        Waiting.until("the present state", () -> heard.contains(current.value()));
        heard.clear();

        cluster.nodes().forEach(node -> node.process().kill());
        for (QuorumCluster.Node node : cluster.nodes()) {
            remove(node.data());
            Files.move(node.data().resolveSibling(node.name() + "-copy"), node.data());
        }
        cluster.startAll();

        Waiting.until("the older state", () -> heard.contains(older.value()));
        assertThat(heard.get(0)).isEqualTo("gap");
        watch.close();
        current = older;
        swap();
    }

    /** Notes revisions and gaps. */
    private record Hearing(List<String> heard) implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            heard.add(record.revision().value());
        }

        @Override
        public void gap() {
            heard.add("gap");
        }

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    private static void remove(Path folder) {
        new TemporaryFolder(folder).close();
    }

    private static long snapshots(Path data) {
        try (var files = Files.walk(data)) {
            return files.filter(file -> file.getFileName().toString().matches("snapshot\\.\\d+_\\d+"))
                    .count();
        } catch (IOException | UncheckedIOException goneMeanwhile) {
            return 0;
        }
    }

    private LeaderRecord next() {
        return LeaderRecord.EMPTY
                .vacated(++term, Instant.EPOCH)
                .written(UUID.randomUUID().toString());
    }

    /** Swaps once, asking what became of it where that is uncertain. */
    private void swap() {
        LeaderRecord next = next();
        Swap swap = answered(() -> client.swap(election, current, next));
        assertThat(swap).isInstanceOf(Swap.Accepted.class);
        current = new Revision(next.nonce());
    }

    private Revision found() {
        return found(client);
    }

    private Revision found(Coordinator where) {
        if (answered(() -> where.read(Set.of(election))).get(election) instanceof Reading.Found found) {
            return found.record().revision();
        }
        throw new AssertionError(election + " has no record");
    }

    /** The answer, the same being asked again until there is one: a swap that had applied is told as accepted. */
    private <T> T answered(Supplier<CompletionStage<T>> call) {
        long end = timeline.nanos() + Duration.ofSeconds(60).toNanos();
        while (true) {
            try {
                return joined(call.get());
            } catch (CoordinatorException notYet) {
                if (timeline.nanos() > end) {
                    throw notYet;
                }
            }
        }
    }

    private static <T> T joined(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof CoordinatorException known ? known : e;
        }
    }
}
