package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.cli.frame.CommandRun.World;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code status} tells of a Redis whose writes somebody has paused: it only reads, and waits all the same. */
@Tag("field")
@Tag("realtime")
class PausedRedisTest {
    @Test
    void statusEndsInTimeWithoutAnAnswerAndHasOneAfterwards() {
        try (SystemTimeline timeline = new SystemTimeline();
                RedisServer server = RedisServer.start()) {
            assertThat(run(timeline, server, "freeze", "job", "--why", "test").code())
                    .isZero();
            assertThat(server.ask("CLIENT", "PAUSE", "3600000", "WRITE")).isEqualTo("+OK");

            long begun = timeline.nanos();
            CommandRun paused = run(timeline, server, "status", "-o", "json");
            Duration took = Duration.ofNanos(timeline.nanos() - begun);

            assertThat(paused.code()).isEqualTo(69);
            assertThat(paused.err()).contains("did not answer in time").hasLineCount(1);
            assertThat(paused.out()).isEmpty();
            assertThat(took).isBetween(Answers.CALL_BOUND.dividedBy(2), Answers.CALL_BOUND.multipliedBy(4));
            assertThat(server.ask("CLIENT", "UNPAUSE")).isEqualTo("+OK");
            assertThat(run(timeline, server, "status", "-o", "json").out())
                    .contains("\"election\":\"job\"", "\"why\":\"test\"");
        }
    }

    private static CommandRun run(SystemTimeline timeline, RedisServer server, String... line) {
        List<CoordinatorProvider> providers = ServiceLoader.load(CoordinatorProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        return CommandRun.of(
                new Incumbent(),
                new Verbs(),
                Map.of("INCUMBENT_AT", server.uri()),
                new World(timeline, providers, List.of()),
                line);
    }
}
