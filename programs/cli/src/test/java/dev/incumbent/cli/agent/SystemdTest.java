package dev.incumbent.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What systemd is told of the agent. */
@Timeout(20)
class SystemdTest {
    private static final String OWN = Long.toString(ProcessHandle.current().pid());

    private final BlockingQueue<List<String>> told = new LinkedBlockingQueue<>();

    @Test
    void aServiceIsReadyLivesAndEnds() throws Exception {
        AtomicBoolean lives = new AtomicBoolean(true);
        try (Systemd systemd = systemd(Map.of("NOTIFY_SOCKET", "/n", "WATCHDOG_USEC", "30000", "WATCHDOG_PID", OWN))) {
            systemd.ready("listens", bound -> {
                assertThat(bound).isEqualTo(Duration.ofMillis(10));
                return lives.get();
            });
            assertThat(next()).containsExactly("--ready", "--status=listens");
            for (int i = 0; i < 5; i++) {
                assertThat(next()).containsExactly("WATCHDOG=1");
            }
            lives.set(false);
            while (told.poll(200, TimeUnit.MILLISECONDS) != null) {
                // What was said before.
            }
            assertThat(told).as("whoever does not live says nothing").isEmpty();
        }
        assertThat(next()).containsExactly("STOPPING=1");
    }

    @Test
    void itsEndIsToldOnce() throws Exception {
        Systemd systemd = systemd(Map.of("NOTIFY_SOCKET", "/n"));
        systemd.close();
        systemd.close();

        assertThat(next()).containsExactly("STOPPING=1");
        assertThat(told.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void withoutSystemdNobodyIsTold() throws Exception {
        try (Systemd systemd = systemd(Map.of("WATCHDOG_USEC", "3000"))) {
            systemd.ready("listens", bound -> true);
        }
        assertThat(told.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void theWatchdogOfAnotherProcessIsNotOurs() throws Exception {
        try (Systemd systemd = systemd(Map.of("NOTIFY_SOCKET", "/n", "WATCHDOG_USEC", "3000", "WATCHDOG_PID", "1"))) {
            systemd.ready("listens", bound -> true);
            assertThat(next()).contains("--ready");
            assertThat(told.poll(100, TimeUnit.MILLISECONDS)).isNull();
        }
    }

    private List<String> next() throws InterruptedException {
        List<String> words = told.poll(10, TimeUnit.SECONDS);
        assertThat(words).isNotNull();
        return words == null ? List.of() : words;
    }

    private Systemd systemd(Map<String, String> variables) {
        return new Systemd(variables, told::add);
    }
}
