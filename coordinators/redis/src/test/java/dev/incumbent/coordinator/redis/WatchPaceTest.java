package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How often a watch looks whether anything has changed. Each look that finds nothing new tells when it was sent. */
@Tag("realtime")
class WatchPaceTest {
    private static final ElectionName ELECTION = new ElectionName("billing/closer");
    private static final int LOOKS = 8;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration QUARTER = Duration.ofMillis(250);

    private final SystemTimeline time = new SystemTimeline();

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void aWatchThatHearsMessagesLooksOnceASecond() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(shortestPause(server.uri())).isBetween(SECOND, SECOND.multipliedBy(2));
        }
    }

    @Test
    void aWatchThatMayNotSubscribeLooksFourTimesASecond() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(server.ask("ACL", "SETUSER", "deaf", "on", ">pass", "~*", "&*", "+@all", "-subscribe"))
                    .isEqualTo("+OK");

            assertThat(shortestPause("redis://deaf:pass@127.0.0.1:" + server.port()))
                    .isBetween(QUARTER, QUARTER.multipliedBy(3));
        }
    }

    @Test
    void aWatchOverSeveralMastersLooksFourTimesASecond() {
        String hosts = SharedServers.three().stream()
                .map(server -> "127.0.0.1:" + server.port())
                .collect(Collectors.joining(","));

        assertThat(shortestPause("redlock://" + hosts + "?prefix=pace-" + UUID.randomUUID()))
                .isBetween(QUARTER, QUARTER.multipliedBy(3));
    }

    /** Of the last looks; the first come before messages can be heard. A busy machine makes some longer, none shorter. */
    private Duration shortestPause(String uri) {
        Looks looks = new Looks(new CopyOnWriteArrayList<>());
        try (Coordinator client = new RedisCoordinatorProvider().open(uri, time, Duration.ofSeconds(10), Mode.CREATE)) {
            client.watch(ELECTION, looks);
            Waiting.until("looks", () -> looks.sentAt().size() >= LOOKS);
        }
        long shortest = Long.MAX_VALUE;
        for (int i = LOOKS / 2; i < LOOKS; i++) {
            shortest = Math.min(shortest, looks.sentAt().get(i) - looks.sentAt().get(i - 1));
        }
        return Duration.ofNanos(shortest);
    }

    private record Looks(List<Long> sentAt) implements Watcher {
        @Override
        public void changed(ObservedRecord record) {}

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {
            sentAt.add(sentAtNanos);
        }
    }
}
