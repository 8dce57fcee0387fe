package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.KubeApiServer;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where LIST works and WATCH does not: changes are learned by lists, which keep their rhythm, and by a stream again once there is one. In real time. */
@Tag("realtime")
class RefusedStreamTest {
    private static final Duration PERIOD = Duration.ofSeconds(4);
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final LeaseId SESSION = Names.freshSession();

    private final SystemTimeline timeline = new SystemTimeline();
    private final ScriptedServer server = new ScriptedServer();
    private final BlockingQueue<Long> streamedAt = new LinkedBlockingQueue<>();
    private final BlockingQueue<Ask> probes = new LinkedBlockingQueue<>();
    private final Told told = new Told();
    private volatile long position = 10;

    @AfterEach
    void close() {
        server.close();
        timeline.close();
    }

    /** 0: the server begins a stream, and ends it at once. */
    @ParameterizedTest
    @ValueSource(ints = {403, 429, 500, 0})
    void listsKeepTheirRhythmAndTellWhatChanges(int code) throws InterruptedException {
        server.answers(ask -> answer(ask, code == 0 ? new Answer(200, "") : new Answer(code, "{}")));
        long began = timeline.nanos();
        try (Coordinator client = client()) {
            client.watch(BILLING, told);
            told.await("n10");
            for (int tries = 0; tries < 5; tries++) {
                next(streamedAt);
            }
            position = 11;
            told.await("n11");
        }
        long periods = (timeline.nanos() - began) / PERIOD.toNanos();

        assertThat(lists()).as("lists in %d periods", periods).isLessThanOrEqualTo(2 + periods);
    }

    @Test
    void aServerThatSaysForHowLongIsLeftAloneThatLong() throws InterruptedException {
        server.answers(ask -> answer(ask, new Answer(429, "{}", TimeUnit.SECONDS.toNanos(1))));
        try (Coordinator client = client()) {
            client.watch(BILLING, told);
            long first = next(streamedAt);
            long second = next(streamedAt);

            assertThat(second - first).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
        }
    }

    @Test
    void onceAStreamIsAllowedAgainItTellsWhatChanges() throws InterruptedException {
        server.answers(ask -> answer(ask, new Answer(403, "{}")));
        try (Coordinator client = client()) {
            client.watch(BILLING, told);
            told.await("n10");
            next(streamedAt);
            String change = Document.write(Map.of("type", "MODIFIED", "object", record(12)));

            server.answers(ask -> answer(ask, new Answer(0, change + "\n")));

            told.await("n12");
        }
    }

    /** Then a probe is enough: a stream that had not begun would not be relied on. */
    @Test
    void aStreamThatIsAnsweredBegins() throws InterruptedException {
        server.answers(ask -> answer(ask, new Answer(0, "")));
        try (Coordinator client = client()) {
            client.watch(BILLING, told);
            told.await("n10");
            next(streamedAt);

            next(probes);
        }
    }

    @Test
    void aStreamThatNobodyNeedsIsClosed() throws InterruptedException {
        server.answers(ask -> answer(ask, new Answer(0, "")));
        try (Coordinator client = client()) {
            Watch watch = client.watch(BILLING, told);
            told.await("n10");
            next(streamedAt);
            long end = timeline.nanos() + TimeUnit.SECONDS.toNanos(30);

            watch.close();

            while (!server.isLeftByAll()) {
                assertThat(timeline.nanos()).as("when its stream is left").isLessThan(end);
            }
        }
    }

    /** Of the real server's rights, {@code watch} alone is missing, and is granted later. */
    @Test
    void aRoleWithoutTheRightToWatchLearnsWhatChanges() throws Exception {
        try (KubeRig rig = new KubeRig(SharedServer.get(), Duration.ofSeconds(2))) {
            LeaseObjectsTest.grantRights(
                    rig, LeaseObjectsTest.manifest().replaceFirst("verbs: .*", "verbs: [get, list]"));
            Coordinator client = rig.connect();
            Coordinator reader = rig.connect(KubeApiServer.ELECTOR, Mode.READ_ONLY);
            reader.watch(BILLING, told);
            told.await(Revision.ABSENT.value());

            LeaderRecord first = LeaderRecord.EMPTY.vacated(1, Instant.EPOCH).written("n1");
            client.swap(BILLING, Revision.ABSENT, first).toCompletableFuture().join();

            told.await("n1");
        }
    }

    private Coordinator client() {
        return server.coordinator(timeline, PERIOD, Mode.CREATE);
    }

    private Answer answer(Ask ask, Answer ofStreams) {
        if (ask.path().contains("watch=true")) {
            streamedAt.add(timeline.nanos());
            return ofStreams;
        }
        if (ask.path().contains("limit=1")) {
            probes.add(ask);
        }
        Map<String, Object> metadata = Map.of("resourceVersion", Long.toString(position));
        return new Answer(200, Document.write(Map.of("metadata", metadata, "items", List.of(record(position)))));
    }

    private long lists() {
        return server.asked().stream()
                .filter(ask -> !ask.path().contains("watch=true"))
                .count();
    }

    private static Map<String, Object> record(long at) {
        return ScriptedWatch.record(BILLING, at, SESSION);
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(30, TimeUnit.SECONDS);
        assertThat(next).as("what comes within half a minute").isNotNull();
        return next;
    }

    /** The revisions that were told. */
    private static final class Told implements Watcher {
        private final BlockingQueue<String> revisions = new LinkedBlockingQueue<>();

        void await(String revision) throws InterruptedException {
            while (!next(revisions).equals(revision)) {
                // Older ones.
            }
        }

        @Override
        public void changed(ObservedRecord record) {
            revisions.add(record.revision().value());
        }

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
