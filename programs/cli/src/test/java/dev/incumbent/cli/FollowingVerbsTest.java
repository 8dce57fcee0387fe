package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.model.EndReason;
import dev.incumbent.time.SystemTimeline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The verbs that wait for changes, on the system's clocks. */
@Tag("patient")
class FollowingVerbsTest {
    private final SystemTimeline timeline = new SystemTimeline();
    private final Office office = new Office(timeline);

    @AfterEach
    void endTheTimeline() {
        timeline.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"leader", "token=1", "leader=a", "leader=a@host-7-9f3c"})
    void waitReturnsAtOnceWhereItIsSoAlready(String what) {
        office.stand("job", "a");
        office.lead("job", "a");

        CommandRun wait = office.run("wait", "job", "--for", what, "--timeout", "1h");

        assertThat(wait.code()).isZero();
        assertThat(wait.out()).contains("token 1  leader a@host-7-9f3c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"vacant", "token=2", "leader=b"})
    void waitGivesUpWithOneWhereItIsNotSo(String what) {
        office.stand("job", "a");
        office.lead("job", "a");

        CommandRun wait = office.run("wait", "job", "--for", what, "--timeout", "20ms");

        assertThat(wait.code()).isEqualTo(1);
        assertThat(wait.out()).isEmpty();
        assertThat(wait.err()).isEqualTo("incumbent: not so within 20ms\n");
    }

    @Test
    void waitEndsWhenTheAwaitedLeaderComes() throws Exception {
        office.stand("job", "a");
        office.stand("job", "b");
        office.lead("job", "a");
        CompletableFuture<CommandRun> wait =
                CompletableFuture.supplyAsync(() -> office.run("wait", "job", "--for", "leader=b", "-o", "json"));

        office.vacate("job", EndReason.TRANSFERRED);
        office.lead("job", "b");

        assertThat(wait.get(20, TimeUnit.SECONDS).out())
                .isEqualTo("{\"election\":\"job\",\"term\":2,\"token\":2,"
                        + "\"leader\":{\"id\":\"b@host-7-9f3c\",\"name\":\"b\",\"address\":\"\"},"
                        + "\"previous\":{\"id\":\"a@host-7-9f3c\",\"name\":\"a\",\"address\":\"\"},"
                        + "\"reason\":\"transferred\",\"at\":\"2026-11-20T12:00:00Z\"}\n");
    }

    @Test
    void waitWaitsForAnElectionThatIsNotThereYet() throws Exception {
        CompletableFuture<CommandRun> wait =
                CompletableFuture.supplyAsync(() -> office.run("wait", "new", "--for", "leader"));

        office.stand("new", "a");
        office.lead("new", "a");

        assertThat(wait.get(20, TimeUnit.SECONDS).out()).contains("token 1  leader a@host-7-9f3c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"led", "token=x", "leader=", "token=99999999999999999999"})
    void whatCannotBeWaitedForIsRefused(String what) {
        CommandRun wait = office.run("wait", "job", "--for", what);

        assertThat(wait.code()).isEqualTo(64);
        assertThat(wait.err()).contains("'" + what + "' is none of leader, vacant, token=N and leader=NAME");
    }
}
