package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.health.Condition.State;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a monitor tells candidacies and listeners of several checks. */
@Timeout(300)
class HealthMonitorTest {
    private static final Rhythm RHYTHM = Rhythm.every(Duration.ofSeconds(5)).after(2);
    private static final long LONG_SECONDS = 60;

    private final VirtualTimeline time = new VirtualTimeline();
    private final SaidCheck disk = new SaidCheck("disk");
    private final SaidCheck probe = new SaidCheck("probe");
    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final List<String> told = new ArrayList<>();
    private final HealthMonitor monitor = HealthMonitor.asking(RHYTHM, disk, probe)
            .listener(new Noting())
            .quiet()
            .timeline(time)
            .start(name -> name.endsWith("disk") ? disk.thread : probe.thread);

    private final class Noting implements HealthListener {
        @Override
        public void onChange(Condition condition) {
            heard.add(condition.state() + " " + condition.sentence());
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
    void theProcessIsSickWhileOneCheckIs() {
        monitor.govern(NotingCandidacy.to(told));
        disk.ill = "is full";
        time.advance(Duration.ofSeconds(10));
        probe.ill = "answers 503";
        time.advance(Duration.ofSeconds(10));
        disk.ill = "";
        time.advance(Duration.ofSeconds(10));
        assertThat(monitor.isWell()).isFalse();
        probe.ill = "";
        time.advance(Duration.ofSeconds(10));

        assertThat(monitor.isWell()).isTrue();
        assertThat(told)
                .containsExactly(
                        "setHealthy true",
                        "setUnhealthy disk is full",
                        "setUnhealthy disk is full; probe answers 503",
                        "setUnhealthy probe answers 503",
                        "setHealthy true");
    }

    @Test
    void listenersHearChangesOnly() throws InterruptedException {
        disk.ill = "is full";
        time.advance(Duration.ofMinutes(1));
        disk.ill = "";
        time.advance(Duration.ofMinutes(1));

        assertThat(heard(7))
                .containsExactly(
                        "WELL disk is fine",
                        "WELL probe is fine",
                        "well",
                        "SICK disk is full",
                        "sick disk is full",
                        "WELL disk is fine",
                        "well");
        assertThat(heard).isEmpty();
    }

    @Test
    void aListenerThatThrowsOrBlocksKeepsNobodyFromBeingTold() throws InterruptedException {
        LinkedBlockingQueue<String> others = new LinkedBlockingQueue<>();
        HealthListener throwing = new HealthListener() {
            @Override
            public void onChange(Condition condition) {
                Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> others.add("threw"));
                throw new IllegalStateException("deaf");
            }
        };
        HealthListener hearing = new HealthListener() {
            @Override
            public void onChange(Condition condition) {
                others.add(condition.check());
            }
        };
        try (HealthMonitor another = HealthMonitor.asking(RHYTHM, new SaidCheck("a"), new SaidCheck("b"))
                .listener(throwing)
                .listener(hearing)
                .quiet()
                .timeline(time)
                .start(name -> new HeldThread())) {
            assertThat(another.isWell()).isTrue();

            assertThat(Stream.of(next(others), next(others), next(others), next(others)))
                    .containsExactlyInAnyOrder("threw", "a", "threw", "b");
        }
    }

    @Test
    void whoeverWasNotAskedYetIsNotWellAndIsNoTrouble() {
        probe.thread.hangs = true;
        try (HealthMonitor late = HealthMonitor.asking(RHYTHM, disk, probe)
                .quiet()
                .timeline(time)
                .start(name -> name.endsWith("disk") ? disk.thread : probe.thread)) {
            late.govern(NotingCandidacy.to(told));
            assertThat(late.conditions().stream().map(Condition::sentence))
                    .containsExactly("disk is fine", "probe was not asked yet");
            probe.thread.goOn();

            assertThat(told).containsExactly("setHealthy false", "setHealthy true");
        }
    }

    /** A sick check goes on being explained by what made it so, until it is well. */
    @Test
    void aConditionKeepsTheAnswerThatSpeaksForIt() {
        disk.ill = "is full";
        time.advance(Duration.ofSeconds(5));
        assertThat(monitor.conditions().get(0)).isEqualTo(new Condition("disk", State.WELL, "is fine"));
        time.advance(Duration.ofSeconds(5));
        disk.ill = "";
        time.advance(Duration.ofSeconds(5));

        assertThat(monitor.conditions().get(0)).isEqualTo(new Condition("disk", State.SICK, "is full"));
    }

    @Test
    void aCandidacyThatIsReleasedOrWhoseMonitorIsClosedIsToldNothingMore() {
        Candidacy candidacy = monitor.govern(NotingCandidacy.to(told));
        monitor.release(candidacy);
        disk.ill = "is full";
        time.advance(Duration.ofMinutes(1));
        assertThat(told).containsExactly("setHealthy true");
        monitor.govern(candidacy);
        monitor.close();
        disk.ill = "";
        time.advance(Duration.ofMinutes(1));

        assertThat(told).containsExactly("setHealthy true", "setUnhealthy disk is full");
    }

    @Test
    void answersAreAwaitedNoLongerThanTheyMayTake() throws Exception {
        monitor.awaitAnswers();
        probe.thread.hangs = true;
        HealthMonitor late =
                HealthMonitor.asking(RHYTHM, probe).quiet().timeline(time).start(name -> probe.thread);
        time.advance(Duration.ofSeconds(2));

        late.awaitAnswers();

        assertThat(late.conditions().get(0).sentence()).isEqualTo("probe did not answer within 2 s");
        late.close();
    }

    @Test
    void whoWaitsForAnswersGoesOnOnceTheMonitorIsClosed() throws InterruptedException {
        probe.thread.hangs = true;
        HealthMonitor late =
                HealthMonitor.asking(RHYTHM, probe).quiet().timeline(time).start(name -> probe.thread);

        late.close();
        late.awaitAnswers();

        assertThat(late.isWell()).isFalse();
    }

    @Test
    void aMonitorWithoutChecksIsRefused() {
        assertThatThrownBy(() -> HealthMonitor.asking().start()).hasMessageContaining("this one has 0");
    }

    private List<String> heard(int lines) throws InterruptedException {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            all.add(next(heard));
        }
        return all;
    }

    private static String next(LinkedBlockingQueue<String> lines) throws InterruptedException {
        String line = lines.poll(LONG_SECONDS, TimeUnit.SECONDS);
        return line == null ? "nothing" : line;
    }
}
