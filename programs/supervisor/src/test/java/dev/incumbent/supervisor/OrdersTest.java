package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each order does in each state: the table of {@code steps.c}, row by row. */
@Timeout(90)
final class OrdersTest extends WithDeafCommand {
    @Test
    void aLeaseIsAnsweredByTheTimeInForce() throws Exception {
        supervisor.say(supervisor.lease(1_000, 2_000), supervisor.lease(3_000, 4_000));

        assertThat(supervisor.next()).matches("ack \\d+ " + supervisor.bootTime(2_000));
        assertThat(supervisor.next()).matches("ack \\d+ " + supervisor.bootTime(4_000));
    }

    @Test
    void aLeaseWaitingForItsStartNeitherStopsNorKills() throws Exception {
        supervisor.say(supervisor.lease(1, 2));
        assertThat(supervisor.nextWord()).isEqualTo("ack");

        assertThat(Await.holdsFor(Duration.ofMillis(50), supervisor::isAlive)).isTrue();
        supervisor.arguments("true");
        supervisor.say(supervisor.lease(LONG, LONG), "start");

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
    }

    @Test
    void aStartWithoutACommandIsRefused() throws Exception {
        supervisor.say(supervisor.lease(LONG, LONG), "start");

        assertThat(supervisor.nextWord()).isEqualTo("ack");
        assertThat(supervisor.next()).isEqualTo("refused");
    }

    @Test
    void aSecondStartIsRefusedAndChangesNothing() throws Exception {
        startDeafCommand();

        supervisor.say("start");

        assertThat(supervisor.next()).isEqualTo("refused");
        assertThat(supervisor.started()).isNotEmpty();
    }

    @Test
    void aStopBeforeTheStartEndsAllAlthoughAStartComesInTheSameBreath() throws Exception {
        supervisor.arguments("touch", "started");
        supervisor.say(supervisor.lease(LONG, LONG), "stop 15 " + supervisor.bootTime(LONG), "start");

        assertThat(supervisor.toTheEnd()).containsExactly("refused", "gone asked");
        assertThat(folder.resolve("started")).doesNotExist();
    }

    @Test
    void aKillBeforeTheStartEndsAllAlthoughAStartComesInTheSameBreath() throws Exception {
        supervisor.arguments("touch", "started");
        supervisor.say(supervisor.lease(LONG, LONG), "kill", "start");

        assertThat(supervisor.toTheEnd()).containsExactly("refused", "gone killed");
        assertThat(folder.resolve("started")).doesNotExist();
    }

    @Test
    void aSignalBeforeTheStartReachesNobody() throws Exception {
        supervisor.say("sig 15");
        supervisor.start(LONG, "true");

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 0", "gone self");
    }

    @Test
    @Tag("realtime")
    void aStopSendsItsSignalAndKillsAtItsTime() throws Exception {
        startDeafCommand();
        long begun = System.nanoTime();

        supervisor.say(killInMillis(10, 1_000));
        awaitHeard("usr1");

        assertThat(supervisor.toTheEndAt(begun, SECOND)).containsExactly("signaled 9", "gone asked");
    }

    @Test
    @Tag("realtime")
    void aStopMayBeSaidTwiceAndItsEarlierTimeHolds() throws Exception {
        startDeafCommand();
        long begun = System.nanoTime();
        supervisor.say(killInMillis(15, 1_000));
        awaitHeard("term");

        supervisor.say(killInMillis(10, LONG));

        awaitHeard("term", "usr1");
        assertThat(supervisor.toTheEndAt(begun, SECOND)).containsExactly("signaled 9", "gone asked");
    }

    @Test
    void aSecondStopMayHasten() throws Exception {
        startDeafCommand();
        supervisor.say(killInMillis(15, LONG));
        awaitHeard("term");

        supervisor.say(killInMillis(10, 0));

        assertThat(supervisor.toTheEnd()).containsExactly("signaled 9", "gone asked");
    }

    @Test
    @Tag("realtime")
    void aCommandThatIsStoppingIsRenewedAndNotSignalledAtTheOldLeasesEnd() throws Exception {
        startDeafCommand();
        supervisor.say(killInMillis(10, LONG));
        awaitHeard("usr1");
        long soon = now() + 50_000_000;
        supervisor.say("lease " + soon + " " + (soon + 50_000_000));
        assertThat(supervisor.next()).matches("ack \\d+ " + (soon + 50_000_000));

        supervisor.say(supervisor.lease(LONG, LONG));

        assertThat(supervisor.next()).matches("ack \\d+ " + supervisor.bootTime(LONG));
        assertThat(Await.holdsFor(Duration.ofMillis(200), () -> heard().equals(List.of("usr1"))))
                .isTrue();
        assertThat(supervisor.isAlive()).isTrue();
    }

    @Test
    @Tag("realtime")
    void aCommandThatIsStoppingIsKilledAtTheEndOfItsLease() throws Exception {
        startDeafCommand();
        supervisor.say(killInMillis(15, LONG));
        awaitHeard("term");
        long begun = System.nanoTime();
        long soon = now() + 50_000_000;

        supervisor.say("lease " + soon + " " + (soon + 950_000_000));

        assertThat(supervisor.nextWord()).isEqualTo("ack");
        assertThat(supervisor.toTheEndAt(begun, SECOND)).containsExactly("signaled 9", "gone deadline");
        assertThat(heard()).containsExactly("term");
    }

    @Test
    @Tag("realtime")
    void aRenewalThatWasReadTooLateIsNoneThoughTheSupervisorSleptMeanwhile() throws Exception {
        startDeafCommand();
        long begun = System.nanoTime();
        long soon = now() + 300_000_000;
        supervisor.say("lease " + soon + " " + (soon + 700_000_000));
        assertThat(supervisor.nextWord()).isEqualTo("ack");

        WrapperProcess.signal(supervisor.entry(), "STOP");
        Await.pass(Duration.ofMillis(400));
        supervisor.say(supervisor.lease(LONG, LONG));
        WrapperProcess.signal(supervisor.entry(), "CONT");

        assertThat(supervisor.next()).matches("ack \\d+ " + (soon + 700_000_000));
        assertThat(supervisor.toTheEndAt(begun, SECOND)).containsExactly("signaled 9", "gone deadline");
        assertThat(heard()).containsExactly("term");
    }

    @Test
    void whatWasKilledIsNotRenewed() throws Exception {
        startDeafCommand();

        supervisor.say(
                "kill", supervisor.lease(1, 2), "start", "sig 10", "kill", "stop 10 " + supervisor.bootTime(LONG));

        assertThat(supervisor.next()).matches("ack \\d+ " + supervisor.bootTime(LONG));
        assertThat(supervisor.toTheEnd()).containsExactly("refused", "signaled 9", "gone killed");
    }

    @Test
    void theEndOfTheConnectionKillsAndIsStillTold() throws Exception {
        startDeafCommand();

        supervisor.hangUp();

        assertThat(supervisor.toTheEnd()).containsExactly("signaled 9", "gone wrapper");
        assertThat(supervisor.started()).isEmpty();
        assertThat(supervisor.exitCode()).isZero();
    }

    @Test
    void anOrderMayComeInPieces() throws Exception {
        supervisor.arguments("sh", "-c", "exit 7");
        supervisor.write(supervisor.lease(LONG, LONG) + "\nsta");
        assertThat(supervisor.nextWord()).isEqualTo("ack");

        supervisor.write("rt");
        supervisor.write("\n");

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 7", "gone self");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "",
                "lease",
                "lease 5",
                "lease 5 4",
                "lease 0 4",
                "stop 15",
                "stop 0 5",
                "stop 65 5",
                "sig 0",
                "sig 65",
                "sig x",
                "start now",
                "kills",
                "k",
                "awake 1",
                "kill 9",
                "stopsig 15",
                "arg 61",
                "cgroup auto"
            })
    void anOrderThatIsNoneOrComesAtTheWrongTimeEndsAll(String order) throws Exception {
        startDeafCommand();

        supervisor.say(order);

        List<String> answers = supervisor.toTheEnd();
        assertThat(answers.subList(answers.indexOf("signaled 9"), answers.size()))
                .containsExactly("signaled 9", order.startsWith("kill ") ? "gone killed" : "gone wrapper");
    }

    @Test
    void whatIsSaidAfterAnOrderThatIsNoneIsNotHeard() throws Exception {
        startDeafCommand();

        supervisor.say("nonsense", "awake");

        assertThat(supervisor.toTheEnd()).containsExactly("signaled 9", "gone wrapper");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stopsig", "stopsig 0", "stopsig 65", "arg zz", "arg 6g", "s", "start 1"})
    void anOrderThatIsNoneEndsAllBeforeTheStartToo(String order) throws Exception {
        supervisor.say(order);

        assertThat(supervisor.toTheEnd()).last().isEqualTo("gone wrapper");
    }

    @Test
    @Tag("realtime")
    void aTermWithLeftoversTakesRenewalsUntilTheyAreGone() throws Exception {
        String leavesOneBehind = "setsid sh -c 'trap \"touch asked; sleep 0.4; touch done; exit\" TERM; touch up; "
                + "while :; do sleep 0.02; done' & while [ ! -e up ]; do sleep 0.02; done; exit 4";
        supervisor.start(LONG, "sh", "-c", leavesOneBehind);
        awaitFile("asked");

        supervisor.say(supervisor.lease(LONG, LONG), "start", "sig 9", supervisor.lease(1, LONG));

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 4", "refused", "gone self");
        assertThat(folder.resolve("done")).exists();
    }

    @Test
    @Tag("realtime")
    void leftoversAreKilledAtTheEndOfTheLease() throws Exception {
        String leavesOneBehind = "setsid sh -c 'trap \"touch asked\" TERM; touch up; while :; do sleep 0.02; done' & "
                + "while [ ! -e up ]; do sleep 0.02; done; exit 4";
        supervisor.start(LONG, "sh", "-c", leavesOneBehind);
        awaitFile("asked");
        long began = System.nanoTime();

        supervisor.say(supervisor.lease(1, 2));

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 4", "gone self");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(700));
    }

    @Test
    @Tag("realtime")
    void leftoversAreKilledAtTheTimeOfAStop() throws Exception {
        String leavesOneBehind = "setsid sh -c 'trap \"touch asked\" TERM; touch up; while :; do sleep 0.02; done' & "
                + "while [ ! -e up ]; do sleep 0.02; done; exit 4";
        supervisor.start(LONG, "sh", "-c", leavesOneBehind);
        awaitFile("asked");
        long began = System.nanoTime();

        supervisor.say("stop 15 1");

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 4", "gone self");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(700));
    }

    /** A pause is told, a signal that ends a sleeper wakes it first, and how it went on is no end. */
    @Test
    @Tag("realtime")
    void aSleepingCommandHearsWhatEndsIt() throws Exception {
        startAndPause();
        long begun = System.nanoTime();

        supervisor.say(killInMillis(15, 1_000));

        awaitHeard("term");
        assertThat(supervisor.toTheEndAt(begun, SECOND)).containsExactly("signaled 9", "gone asked");
    }

    @Test
    void aSleepingCommandIsWokenByAPassedSignal() throws Exception {
        startAndPause();

        supervisor.say("sig 10", "sig 18");

        awaitHeard("usr1");
    }

    @Test
    @Tag("realtime")
    void aSleepingCommandLapsesAsOneThatRuns() throws Exception {
        startAndPause();
        long begun = System.nanoTime();
        long soon = now() + 50_000_000;

        supervisor.say("lease " + soon + " " + (soon + 950_000_000));

        assertThat(supervisor.nextWord()).isEqualTo("ack");
        awaitHeard("term");
        assertThat(supervisor.toTheEndAt(begun, SECOND)).containsExactly("signaled 9", "gone deadline");
        assertThat(heard()).containsExactly("term");
    }

    /** All but those that mean a fault of its own, and those that nobody can ignore. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HUP", "INT", "QUIT", "PIPE", "ALRM", "TERM", "USR1", "USR2", "STKFLT", "TSTP", "TTIN", "TTOU", "URG",
                "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "34", "50", "64"
            })
    void noSignalEndsASupervisor(String signal) throws Exception {
        WrapperProcess.signal(supervisor.entry(), signal);

        supervisor.start(LONG, "sh", "-c", "exit 3");

        assertThat(supervisor.toTheEnd()).containsExactly("started", "exited 3", "gone self");
    }
}
