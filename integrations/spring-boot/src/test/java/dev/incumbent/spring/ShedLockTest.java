package dev.incumbent.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Leadership;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** ShedLock's own executor over locks that are terms. */
@Timeout(180)
class ShedLockTest {
    @TempDir
    private Path folder;

    @Test
    void theFirstRunOfANameWaitsForItsTermAndOtherInstancesAreRefused() {
        try (Instances instances = new Instances(folder, Application.class)) {
            ConfigurableApplicationContext first = instances.start("first");
            List<String> ran = new ArrayList<>();

            run(first, "nightly", () -> ran.add("first, token " + tokenIn(first)));
            ConfigurableApplicationContext second = instances.start("second");
            run(second, "nightly", () -> ran.add("second"));
            run(second, "hourly", () -> ran.add("second, hourly"));
            run(first, "nightly", () -> ran.add("first again, token " + tokenIn(first)));
            first.close();
            Instances.awaitLeading(second, "nightly");
            run(second, "nightly", () -> ran.add("second, token " + tokenIn(second)));

            assertThat(ran)
                    .containsExactly("first, token 1", "second, hourly", "first again, token 1", "second, token 2");
        }
    }

    private static void run(ConfigurableApplicationContext instance, String name, Runnable task) {
        new DefaultLockingTaskExecutor(instance.getBean(LockProvider.class))
                .executeWithLock(
                        task, new LockConfiguration(Instant.now(), name, Duration.ofMinutes(10), Duration.ZERO));
    }

    private static String tokenIn(ConfigurableApplicationContext instance) {
        return instance.getBean(Leadership.class).token().toString();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({IncumbentAutoConfiguration.class, IncumbentShedLockAutoConfiguration.class})
    static class Application {}
}
