package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rows of the tables in {@code steps.c} for a command that sleeps, that was told to end, or whose lease has lapsed. */
@Timeout(90)
final class RareStatesTest extends WithDeafCommand {
    private static final int USER_1 = 10;
    private static final int TERM = 15;

    private void startAndStop() throws Exception {
        startDeafCommand();
        supervisor.say("stop " + TERM + " " + supervisor.bootTime(LONG));
        awaitHeard("term");
    }

    /** Past the time of its TERM, and long before that of its KILL. */
    private void startAndLapse() throws Exception {
        startDeafCommand();
        supervisor.say(supervisor.lease(1, LONG));
        assertThat(supervisor.nextWord()).isEqualTo("ack");
        awaitHeard("term");
    }

    @Test
    void aSleepingCommandIsNotStartedAgain() throws Exception {
        startAndPause();

        supervisor.say("start");

        assertThat(supervisor.next()).isEqualTo("refused");
    }

    @Test
    void aSleepingCommandTakesRenewals() throws Exception {
        startAndPause();

        supervisor.say(supervisor.lease(2 * LONG, 3 * LONG));

        assertThat(supervisor.next()).matches("ack \\d+ " + supervisor.bootTime(3 * LONG));
    }

    @Test
    void aSleepingCommandThatWakesAndSleepsAgainIsToldTwice() throws Exception {
        startAndPause();

        supervisor.say("sig 18", "sig 19");

        assertThat(supervisor.next()).isEqualTo("stopped 19");
    }

    @Test
    void aSleepingCommandThatIsKilledHasEnded() throws Exception {
        startAndPause();

        supervisor.say("sig 9");

        assertThat(supervisor.toTheEnd()).containsExactly("signaled 9", "gone self");
    }

    @Test
    void aSleepingCommandIsKilledAsOrdered() throws Exception {
        startAndPause();

        supervisor.say("kill");

        assertThat(supervisor.toTheEnd()).containsExactly("signaled 9", "gone killed");
    }

    @Test
    void aSleepingCommandDoesNotOutliveItsWrapper() throws Exception {
        startAndPause();

        supervisor.hangUp();

        assertThat(supervisor.toTheEnd()).containsExactly("signaled 9", "gone wrapper");
    }

    @Test
    void whatWasToldToEndIsNotStartedAgainAndStillHearsSignals() throws Exception {
        startAndStop();

        supervisor.say("start", "sig " + USER_1);

        assertThat(supervisor.next()).isEqualTo("refused");
        awaitHeard("term", "usr1");
    }

    @Test
    @Tag("realtime")
    void whatWasToldToEndIsKilledInTimeThoughItSleepsOrWakes() throws Exception {
        awaitStart("python3", "-c", DEAF_AND_ALONE);
        long begun = System.nanoTime();
        supervisor.say(killInMillis(TERM, 1_000));
        awaitHeard("term");

        supervisor.say("sig 19");

        assertThat(supervisor.toTheEndAt(begun, SECOND)).containsExactly("stopped 19", "signaled 9", "gone asked");
    }

    @Test
    @Tag("realtime")
    void whatWasToldToEndIsKilledInTimeThoughItsLeaseLapsesMeanwhile() throws Exception {
        startDeafCommand();
        long begun = System.nanoTime();
        supervisor.say(killInMillis(TERM, 1_000));
        awaitHeard("term");

        supervisor.say(supervisor.lease(1, LONG));
        assertThat(supervisor.nextWord()).isEqualTo("ack");
        supervisor.say(supervisor.lease(2 * LONG, 2 * LONG));

        assertThat(supervisor.next()).matches("ack \\d+ " + supervisor.bootTime(LONG));
        assertThat(supervisor.toTheEndAt(begun, SECOND)).containsExactly("signaled 9", "gone asked");
        assertThat(heard()).containsExactly("term");
    }

    @Test
    void whatHasLapsedIsNotStartedAgainAndStillHearsSignals() throws Exception {
        startAndLapse();

        supervisor.say("start", "sig " + USER_1);

        assertThat(supervisor.next()).isEqualTo("refused");
        awaitHeard("term", "usr1");
    }

    @Test
    void whatHasLapsedMayBeToldToEndSooner() throws Exception {
        startAndLapse();
        supervisor.say("stop " + USER_1 + " " + supervisor.bootTime(LONG));
        awaitHeard("term", "usr1");

        supervisor.say(killInMillis(USER_1, 0));

        assertThat(supervisor.toTheEnd()).containsExactly("signaled 9", "gone deadline");
    }

    @Test
    @Tag("realtime")
    void whatHasLapsedStaysSoThoughItSleeps() throws Exception {
        awaitStart("python3", "-c", DEAF_AND_ALONE);
        long begun = System.nanoTime();
        long soon = now() + 50_000_000;
        supervisor.say("lease " + soon + " " + (soon + 950_000_000));
        assertThat(supervisor.nextWord()).isEqualTo("ack");
        awaitHeard("term");

        supervisor.say("sig 19", supervisor.lease(LONG, LONG));

        List<String> told = supervisor.toTheEndAt(begun, SECOND);
        assertThat(told).containsExactly("stopped 19", "signaled 9", "gone deadline");
    }

    @Test
    void whatHasLapsedIsGoneOnceItHasEnded() throws Exception {
        awaitStart("sh", "-c", "trap 'exit 5' TERM; touch up; while :; do sleep 0.02; done");

        supervisor.say(supervisor.lease(1, 3 * LONG));

        assertThat(supervisor.toTheEnd()).containsExactly("exited 5", "gone deadline");
    }

    @Test
    @Tag("realtime")
    void aCommandThatEndedInTimeHasNotLapsedThoughItsSupervisorSleptMeanwhile() throws Exception {
        supervisor.start(LONG, "sh", "-c", "touch up; while [ ! -e go ]; do sleep 0.02; done; exit 7");
        awaitFile("up");
        assertThat(supervisor.nextWord()).isEqualTo("ack");
        long pid = Long.parseLong(supervisor.next().substring("forked ".length()));
        assertThat(supervisor.next()).isEqualTo("started");
        long soon = now() + 1_000_000_000;
        supervisor.say("lease " + soon + " " + soon);
        assertThat(supervisor.nextWord()).isEqualTo("ack");

        WrapperProcess.signal(supervisor.entry(), "STOP");
        Files.createFile(folder.resolve("go"));
        Await.until("its end", () -> !new ProcessEntry(pid).isAlive());
        Await.pass(Duration.ofMillis(1_100));
        WrapperProcess.signal(supervisor.entry(), "CONT");

        assertThat(supervisor.toTheEnd()).containsExactly("exited 7", "gone self");
    }
}
