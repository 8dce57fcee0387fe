package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Leadership;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.supervisor.RunOutcome;
import dev.incumbent.supervisor.SupervisorEvent;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each way in which a run can end, as people, programs and shells are told of it: by a sentence, by JSON, and by the exit code. */
final class EndingTest {
    private static final int KILL = 9;
    private static final int TERM = 15;

    private final Leadership leadership = (Leadership) Proxy.newProxyInstance(
            Leadership.class.getClassLoader(), new Class<?>[] {Leadership.class}, (self, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("token");
                return new FencingToken(3);
            });

    @ParameterizedTest
    @CsvSource({
        "RESIGNED, resigned",
        "TRANSFERRED, transferred",
        "TASK_FAILED, task-failed",
        "LEASE_LOST, lost",
        "SUPERSEDED, superseded",
        "FROZEN, frozen",
        "UNHEALTHY, unhealthy",
        "STALLED, stalled",
        "CLOSED, closed"
    })
    void aLeadershipThatEndedFirstIs79WithItsReason(EndReason reason, String word) {
        TermEnd end =
                TermEnd.of(leadership, ended(true, SupervisorEvent.Cause.ASKED, new SupervisorEvent.Signaled(TERM)));

        assertTold(
                end.because(Optional.of(reason)),
                "the leadership ended before the command did: " + word,
                "{\"election\":\"job\",\"token\":3,\"code\":79,\"reason\":\"" + word + "\",\"childCode\":143}");
        assertThat(end.isWorthAnotherTry()).isTrue();
        assertThat(end.hasRun()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"64, usage", "69, unreachable", "78, configuration", "81, sink-unraised", "70, internal"})
    void aRunThatIsRefusedSaysWhyInAWord(int code, String word) {
        assertThat(Ending.refused(code).json(new ElectionName("job")))
                .isEqualTo("{\"election\":\"job\",\"token\":null,\"code\":" + code + ",\"reason\":\"" + word
                        + "\",\"childCode\":null}");
    }

    /** The supervisor knows first; what the library says of it later may be another consequence of the same silence. */
    @Test
    void aLeaseThatRanOutUnderTheCommandIsLostWhateverElseIsSaid() {
        TermEnd end =
                TermEnd.of(leadership, ended(true, SupervisorEvent.Cause.DEADLINE, new SupervisorEvent.Signaled(KILL)));

        assertTold(
                end.because(Optional.of(EndReason.SUPERSEDED)),
                "the leadership ended before the command did: lost",
                "{\"election\":\"job\",\"token\":3,\"code\":79,\"reason\":\"lost\",\"childCode\":137}");
    }

    @Test
    void aLeadershipThatEndedBeforeTheCommandCouldStartIs79WithoutACodeOfTheCommand() {
        assertTold(
                TermEnd.lostBeforeStart(leadership).because(Optional.of(EndReason.FROZEN)),
                "the leadership ended before the command did: frozen",
                "{\"election\":\"job\",\"token\":3,\"code\":79,\"reason\":\"frozen\",\"childCode\":null}");
    }

    @Test
    void whereTheReasonIsNotKnownItIsLost() {
        assertTold(
                TermEnd.lostBeforeStart(leadership).because(Optional.empty()),
                "the leadership ended before the command did: lost",
                "{\"election\":\"job\",\"token\":3,\"code\":79,\"reason\":\"lost\",\"childCode\":null}");
    }

    @ParameterizedTest
    @CsvSource({"0", "7", "79", "125"})
    void aCommandThatEndedByItselfIsToldByItsCodeAlone(int code) {
        TermEnd end =
                TermEnd.of(leadership, ended(false, SupervisorEvent.Cause.SELF, new SupervisorEvent.Exited(code)));

        assertTold(
                end.because(Optional.of(EndReason.RESIGNED)),
                "",
                "{\"election\":\"job\",\"token\":3,\"code\":" + code + ",\"reason\":\"ended\",\"childCode\":" + code
                        + "}");
        assertThat(end.isWorthAnotherTry()).isFalse();
        assertThat(end.hasRun()).isTrue();
        assertThat(end.isRevoked()).isFalse();
    }

    @Test
    void aCommandThatEndedJustBeforeItWasToldToKeepsItsCode() {
        TermEnd end = TermEnd.of(leadership, ended(true, SupervisorEvent.Cause.SELF, new SupervisorEvent.Exited(4)));

        assertThat(end.hasRun()).isTrue();
        assertThat(end.isRevoked()).isTrue();

        assertTold(
                end.because(Optional.of(EndReason.RESIGNED)),
                "",
                "{\"election\":\"job\",\"token\":3,\"code\":4,\"reason\":\"ended\",\"childCode\":4}");
    }

    @ParameterizedTest
    @CsvSource({
        "2, 127, not-executed, CMD was not found",
        "20, 127, not-executed, CMD was not found",
        "13, 126, not-executed, CMD cannot be executed",
        "11, 70, no-resources, 'the command could not be started for lack of processes, memory or open files'",
        "24, 70, no-resources, 'the command could not be started for lack of processes, memory or open files'"
    })
    void aCommandThatCouldNotBeStartedSaysWhy(int errno, int code, String reason, String sentence) {
        TermEnd end = TermEnd.of(
                leadership, ended(false, SupervisorEvent.Cause.NOEXEC, new SupervisorEvent.NotExecuted(errno)));

        assertTold(
                end.because(Optional.empty()),
                sentence.replace("CMD", "'./job'"),
                "{\"election\":\"job\",\"token\":3,\"code\":" + code + ",\"reason\":\"" + reason
                        + "\",\"childCode\":null}");
        assertThat(end.isWorthAnotherTry()).isEqualTo(reason.equals("no-resources"));
        assertThat(end.hasRun()).isFalse();
    }

    @Test
    void aSupervisorThatWasKilledIs70() {
        RunOutcome outcome = RunOutcome.none().after(new SupervisorEvent.Died(false));
        TermEnd end = TermEnd.of(leadership, new SupervisedProcess.End(outcome, Optional.empty(), false));

        assertTold(
                end.because(Optional.of(EndReason.RESIGNED)),
                "the supervisor was killed, and the command with it",
                "{\"election\":\"job\",\"token\":3,\"code\":70,\"reason\":\"supervisor-died\",\"childCode\":null}");
        assertThat(end.hasRun()).isTrue();
    }

    @Test
    void whatWasNotStartedSaysWhy() {
        assertTold(
                TermEnd.unstarted(leadership, 75, "on-acquire-failed").because(Optional.of(EndReason.RESIGNED)),
                "the command of --on-acquire failed, or lasted a lease; the leadership is given up",
                "{\"election\":\"job\",\"token\":3,\"code\":75,\"reason\":\"on-acquire-failed\",\"childCode\":null}");
        assertTold(
                TermEnd.lacking(leadership, 78, "no-supervisor").because(Optional.empty()),
                "",
                "{\"election\":\"job\",\"token\":3,\"code\":78,\"reason\":\"no-supervisor\",\"childCode\":null}");
    }

    @ParameterizedTest
    @CsvSource({"64, usage", "69, unreachable", "70, internal", "78, configuration", "81, sink-unraised"})
    void whatWasRefusedIsToldByItsCode(int code, String reason) {
        assertTold(
                Ending.refused(code),
                "",
                "{\"election\":\"job\",\"token\":null,\"code\":" + code + ",\"reason\":\"" + reason
                        + "\",\"childCode\":null}");
    }

    @Test
    void whoDidNotLeadAndWhoWasSignalledFirstHaveNoToken() {
        assertTold(
                Ending.notAcquired(75),
                "",
                "{\"election\":\"job\",\"token\":null,\"code\":75,\"reason\":\"not-acquired\",\"childCode\":null}");
        assertTold(
                Ending.signalled(TERM),
                "",
                "{\"election\":\"job\",\"token\":null,\"code\":143,\"reason\":\"signal\",\"childCode\":null}");
    }

    private static void assertTold(Ending ending, String sentence, String json) {
        assertThat(ending.sentence("./job").orElse("")).isEqualTo(sentence);
        assertThat(ending.json(new ElectionName("job"))).isEqualTo(json);
    }

    private static SupervisedProcess.End ended(boolean interrupted, SupervisorEvent.Cause cause, SupervisorEvent how) {
        RunOutcome outcome = RunOutcome.none().after(how).after(new SupervisorEvent.Gone(cause));
        return new SupervisedProcess.End(outcome, Optional.of(cause), interrupted);
    }
}
