package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.supervisor.SupervisorEvent.Cause;
import dev.incumbent.supervisor.SupervisorEvent.Died;
import dev.incumbent.supervisor.SupervisorEvent.Exited;
import dev.incumbent.supervisor.SupervisorEvent.Forked;
import dev.incumbent.supervisor.SupervisorEvent.Gone;
import dev.incumbent.supervisor.SupervisorEvent.NotExecuted;
import dev.incumbent.supervisor.SupervisorEvent.Refused;
import dev.incumbent.supervisor.SupervisorEvent.Signaled;
import dev.incumbent.supervisor.SupervisorEvent.Started;
import dev.incumbent.supervisor.SupervisorEvent.Stopped;
import dev.incumbent.supervisor.SupervisorEvent.Typed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RunOutcomeTest {
    private static RunOutcome started() {
        return after(RunOutcome.none(), new Forked(4711), new Started());
    }

    private static RunOutcome after(RunOutcome outcome, SupervisorEvent... events) {
        RunOutcome next = outcome;
        for (SupervisorEvent event : events) {
            next = next.after(event);
        }
        return next;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 79, 125, 126, 255})
    void aCommandsOwnCodeIsPassedOnUnchanged(int code) {
        RunOutcome outcome = after(started(), new Exited(code), new Gone(Cause.SELF));

        assertThat(outcome.exitCode()).isEqualTo(code);
        assertThat(outcome.childCode()).hasValue(code);
    }

    @ParameterizedTest
    @CsvSource({"2, 130", "9, 137", "15, 143"})
    void aCommandKilledBySignalNGives128PlusN(int signal, int code) {
        RunOutcome outcome = after(started(), new Stopped(20), new Signaled(signal), new Gone(Cause.SELF));

        assertThat(outcome.exitCode()).isEqualTo(code);
        assertThat(outcome.childCode()).hasValue(code);
    }

    @ParameterizedTest
    @CsvSource({"2, 127", "20, 127", "13, 126", "8, 126", "7, 126"})
    void aCommandThatCannotBeExecutedGives127IfThereIsNoneElse126(int errno, int code) {
        RunOutcome outcome = after(RunOutcome.none(), new Forked(4711), new NotExecuted(errno), new Gone(Cause.NOEXEC));

        assertThat(outcome.exitCode()).isEqualTo(code);
        assertThat(outcome.childCode()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {11, 12, 23, 24})
    void aLackOfProcessesMemoryOrFilesIsNoFaultOfTheCommand(int errno) {
        RunOutcome outcome = after(RunOutcome.none(), new NotExecuted(errno), new Gone(Cause.NOEXEC));

        assertThat(outcome.exitCode()).isEqualTo(70);
        assertThat(outcome.command()).isEqualTo(new RunOutcome.CommandEnd.NotExecuted(errno));
        assertThat(new RunOutcome.CommandEnd.NotExecuted(errno).isForLack()).isTrue();
    }

    @Test
    void onlyAnInterruptThatWasTypedEndsTheWrapperByTheSameSignal() {
        Typed typed = new Typed(2);
        Gone gone = new Gone(Cause.SELF);

        assertThat(after(started(), typed, new Signaled(2), gone).isInterrupted())
                .isTrue();
        assertThat(after(started(), new Signaled(2), gone).isInterrupted()).isFalse();
        assertThat(after(started(), new Typed(3), new Signaled(3), gone).isInterrupted())
                .isFalse();
        assertThat(after(started(), typed, new Signaled(2), new Gone(Cause.DEADLINE))
                        .isInterrupted())
                .isFalse();
    }

    @Test
    void anEndedConnectionGives70() {
        RunOutcome outcome = after(started(), new Signaled(9), new Gone(Cause.WRAPPER));

        assertThat(outcome.exitCode()).isEqualTo(70);
    }

    @ParameterizedTest
    @CsvSource({"1, 129", "2, 130", "15, 143"})
    void aSignalBeforeTheCommandWasStartedGives128PlusN(int signal, int code) {
        assertThat(RunOutcome.none().afterSignalBeforeStart(signal).exitCode()).isEqualTo(code);
    }

    @Test
    void aLeaseThatRanOutGives79WhateverTheCommandReturned() {
        RunOutcome outcome = after(started(), new Exited(0), new Gone(Cause.DEADLINE));

        assertThat(outcome.exitCode()).isEqualTo(79);
        assertThat(outcome.childCode()).hasValue(0);
    }

    @Test
    void aCommandStoppedSinceItsLeadershipEndedGives79() {
        RunOutcome outcome = after(started().afterLeadershipEnded(), new Exited(0), new Gone(Cause.ASKED));

        assertThat(outcome.exitCode()).isEqualTo(79);
    }

    @Test
    void aCommandThatHadEndedBeforeItsLeadershipDidKeepsItsCode() {
        RunOutcome outcome = after(started(), new Exited(3)).afterLeadershipEnded();

        assertThat(after(outcome, new Gone(Cause.SELF)).exitCode()).isEqualTo(3);
    }

    @Test
    void aCommandStoppedByTheWrappersOwnTermKeepsItsCode() {
        assertThat(after(started(), new Exited(5), new Gone(Cause.ASKED)).exitCode())
                .isEqualTo(5);
        assertThat(after(started(), new Signaled(9), new Gone(Cause.KILLED)).exitCode())
                .isEqualTo(137);
    }

    @Test
    void aStartThatCameTooLateGives79() {
        assertThat(after(RunOutcome.none(), new Refused()).exitCode()).isEqualTo(79);
    }

    @Test
    void aSupervisorThatDiedGives70OrOnceItsDeadlineHasPassed79() {
        assertThat(after(started(), new Died(false)).exitCode()).isEqualTo(70);
        assertThat(after(started(), new Died(true)).exitCode()).isEqualTo(79);
        assertThat(after(started(), new Exited(0), new Died(false)).exitCode()).isEqualTo(70);
    }
}
