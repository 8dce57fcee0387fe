package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What two checks together mean, while one of them may not have answered yet. */
@Timeout(120)
class VerdictTest {
    private static final Rhythm RHYTHM =
            Rhythm.every(Duration.ofSeconds(5)).within(Duration.ofHours(1)).after(1);

    private final VirtualTimeline time = new VirtualTimeline();
    private final SaidCheck disk = new SaidCheck("disk");
    private final SaidCheck probe = new SaidCheck("probe");
    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final List<String> told = new ArrayList<>();
    private final HealthMonitor monitor;

    VerdictTest() {
        disk.thread.hangs = true;
        probe.thread.hangs = true;
        monitor = HealthMonitor.asking(RHYTHM, disk, probe)
                .listener(new Noting())
                .quiet()
                .timeline(time)
                .start(name -> name.endsWith("disk") ? disk.thread : probe.thread);
    }

    private final class Noting implements HealthListener {
        @Override
        public void onChange(Condition condition) {
            heard.add(condition.sentence());
        }

        @Override
        public void onWell() {
            heard.add("well");
        }

        @Override
        public void onSick(String why) {
            heard.add("sick " + why);
        }
    }

    @AfterEach
    void close() {
        monitor.close();
    }

    @Test
    void aCandidacyIsToldAgainOnlyWhatIsNew() {
        monitor.govern(NotingCandidacy.to(told));
        disk.thread.goOn();
        assertThat(told).as("the probe was not asked yet").containsExactly("setHealthy false");
        probe.thread.goOn();
        time.advance(Duration.ofMinutes(1));

        assertThat(told).containsExactly("setHealthy false", "setHealthy true");
    }

    @Test
    void whereOneRecoversBeforeTheOtherWasAskedNobodyIsSickAndTheProcessIsNotWell() throws InterruptedException {
        monitor.govern(NotingCandidacy.to(told));
        disk.ill = "is full";
        disk.thread.goOn();
        disk.ill = "";
        time.advance(Duration.ofSeconds(5));
        assertThat(monitor.isWell()).isFalse();
        probe.thread.goOn();

        assertThat(told)
                .containsExactly(
                        "setHealthy false", "setUnhealthy disk is full", "setHealthy false", "setHealthy true");
        assertThat(heard(5))
                .containsExactly("disk is full", "sick disk is full", "disk is fine", "probe is fine", "well");
    }

    @Test
    void whoIsReleasedIsToldNothingMoreAndTheOthersAre() {
        List<String> others = new ArrayList<>();
        Candidacy released = monitor.govern(NotingCandidacy.to(told));
        monitor.govern(NotingCandidacy.to(others));
        monitor.release(released);
        disk.thread.goOn();
        probe.thread.goOn();

        assertThat(told).containsExactly("setHealthy false");
        assertThat(others).containsExactly("setHealthy false", "setHealthy true");
    }

    @Test
    void answersAreAwaitedFromEachCheckHoweverOftenAnotherAnswers() throws InterruptedException {
        Thread waiting = waiting();
        disk.thread.goOn();
        time.advance(Duration.ofMinutes(1));
        assertThat(disk.asked).isEqualTo(13);
        assertThat(stands(waiting)).isTrue();
        probe.thread.goOn();

        waiting.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(waiting.isAlive()).isFalse();
    }

    @Test
    void closingFreesWhoWaitsForSeveralChecks() throws InterruptedException {
        Thread waiting = waiting();
        assertThat(stands(waiting)).isTrue();
        monitor.close();

        waiting.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(waiting.isAlive()).isFalse();
    }

    private Thread waiting() {
        Thread waiting = new Thread(() -> {
            try {
                monitor.awaitAnswers();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        waiting.setDaemon(true);
        waiting.start();
        return waiting;
    }

    /** Does it wait? If not, it has come through. */
    private static boolean stands(Thread waiting) {
        while (waiting.getState() != Thread.State.WAITING && waiting.isAlive()) {
            LockSupport.parkNanos(1_000_000);
        }
        return waiting.isAlive();
    }

    private List<String> heard(int lines) throws InterruptedException {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            all.add(String.valueOf(heard.poll(60, TimeUnit.SECONDS)));
        }
        return all;
    }
}
