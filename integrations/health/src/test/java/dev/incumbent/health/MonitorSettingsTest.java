package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a monitor does with its settings: rhythms, threads, clocks, bounds, and the log. */
class MonitorSettingsTest {
    private static final long LONG_SECONDS = 60;

    private final VirtualTimeline time = new VirtualTimeline();
    private final SaidCheck disk = new SaidCheck("disk");
    private final SaidCheck probe = new SaidCheck("probe");
    private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final Logger logger = Logger.getLogger("dev.incumbent.health");

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            told.add("log " + line.getLevel() + " " + new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private final HealthListener listener = new HealthListener() {
        @Override
        public void onChange(Condition condition) {
            told.add("listener " + condition.sentence());
        }
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void listenNoMore() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    @Test
    void eachCheckIsAskedInItsOwnRhythm() {
        try (HealthMonitor monitor = HealthMonitor.asking(Rhythm.every(Duration.ofSeconds(5)), disk)
                .asking(Rhythm.every(Duration.ofSeconds(9)).after(1), probe)
                .quiet()
                .timeline(time)
                .start(name -> name.endsWith("disk") ? disk.thread : probe.thread)) {
            disk.ill = "is full";
            probe.ill = "answers 503";
            time.advance(Duration.ofSeconds(9));

            assertThat(disk.asked).isEqualTo(2);
            assertThat(probe.asked).isEqualTo(2);
            assertThat(monitor.conditions())
                    .as("one bad answer is enough for the probe alone")
                    .containsExactly(
                            new Condition("disk", Condition.State.WELL, "is fine"),
                            new Condition("probe", Condition.State.SICK, "answers 503"));
            time.advance(Duration.ofSeconds(27));

            assertThat(disk.asked).isEqualTo(8);
            assertThat(probe.asked).isEqualTo(5);
        }
    }

    @Test
    void withoutARhythmItIsAskedEveryFiveSecondsAndThreeAnswersInARowCount() {
        try (HealthMonitor monitor =
                HealthMonitor.asking(disk).quiet().timeline(time).start(name -> disk.thread)) {
            disk.ill = "is full";
            time.advance(Duration.ofMillis(14_999));
            assertThat(disk.asked).isEqualTo(3);
            assertThat(monitor.isWell()).isTrue();
            time.advance(Duration.ofMillis(1));

            assertThat(monitor.isWell()).isFalse();
        }
    }

    @Test
    void eachCheckHasAThreadThatIsCalledAfterIt() {
        List<String> names = new ArrayList<>();
        HealthMonitor.asking(disk, probe)
                .quiet()
                .timeline(time)
                .start(name -> {
                    names.add(name);
                    return new HeldThread();
                })
                .close();

        assertThat(names).containsExactly("incumbent-health-disk", "incumbent-health-probe");
    }

    @Test
    void aMonitorHasAtMost64Checks() {
        HealthMonitor.Builder builder = HealthMonitor.asking(checks(64)).quiet().timeline(time);
        builder.start(name -> new HeldThread()).close();

        assertThatThrownBy(builder.asking(Rhythm.STANDARD, disk)::start)
                .hasMessage("a monitor has 1 to 64 checks, this one has 65");
    }

    private static HealthCheck[] checks(int count) {
        HealthCheck[] checks = new HealthCheck[count];
        for (int i = 0; i < count; i++) {
            checks[i] = new SaidCheck("check " + i);
        }
        return checks;
    }

    @Test
    void theLogHearsOfSicknessBeforeListenersDo() throws InterruptedException {
        disk.ill = "is full";
        try (HealthMonitor monitor =
                HealthMonitor.asking(disk).listener(listener).timeline(time).start(name -> disk.thread)) {
            assertThat(monitor.isWell()).isFalse();

            assertThat(next()).isEqualTo("log WARNING sick: disk is full");
            assertThat(next()).isEqualTo("listener disk is full");
        }
    }

    @Test
    void aQuietMonitorWritesNoLogAndItsListenersHear() throws InterruptedException {
        disk.ill = "is full";
        try (HealthMonitor monitor = HealthMonitor.asking(disk)
                .listener(listener)
                .quiet()
                .timeline(time)
                .start(name -> disk.thread)) {
            assertThat(monitor.isWell()).isFalse();

            assertThat(next()).isEqualTo("listener disk is full");
            assertThat(told).isEmpty();
        }
    }

    @Test
    void clocksOfItsOwnEndWithIt() throws InterruptedException {
        HealthMonitor monitor = HealthMonitor.asking(HealthCheck.of("it", () -> Answer.well("is fine")))
                .quiet()
                .start();
        monitor.awaitAnswers();
        Thread alarms = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("incumbent-health-alarms"))
                .findFirst()
                .orElseThrow();

        monitor.close();

        alarms.join(TimeUnit.SECONDS.toMillis(LONG_SECONDS));
        assertThat(alarms.isAlive()).isFalse();
    }

    private String next() throws InterruptedException {
        return String.valueOf(told.poll(LONG_SECONDS, TimeUnit.SECONDS));
    }
}
