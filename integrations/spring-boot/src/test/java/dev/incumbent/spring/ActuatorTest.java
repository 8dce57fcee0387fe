package dev.incumbent.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.PostgresServer;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What Boot's actuator shows and does, asked over HTTP, and when the web server stops. */
@Timeout(180)
class ActuatorTest {
    private static final String NAME = "billing/closer";

    @TempDir
    private Path folder;

    @Test
    void leaderAndFollowerAreHealthyAndTheEndpointShowsTransfersAndResigns() {
        try (Instances instances = new Instances(folder, Application.class).withWebServer()) {
            ConfigurableApplicationContext first = instances.start("first");
            Instances.awaitLeading(first, NAME);
            ConfigurableApplicationContext second = instances.start("second");
            Instances.awaitStanding(second, NAME);

            String shown = Instances.get(second, "/actuator/elections/" + NAME);
            String healthy = Instances.get(second, "/actuator/health/incumbent");
            String refused = Instances.post(first, "/actuator/elections/" + NAME, "{}");
            String moved = Instances.post(first, "/actuator/elections/" + NAME, "{\"to\": \"second\"}");
            Instances.awaitLeading(second, NAME);
            String here = Instances.get(second, "/actuator/elections");
            double led = gauge(second, "incumbent.elections.led");
            String resigned = Instances.delete(first, "/actuator/elections/" + NAME);
            Await.until(
                    "that a later term has begun, after " + resigned,
                    () -> Instances.get(first, "/actuator/elections/" + NAME).contains("\"term\":3"));

            assertThat(shown)
                    .startsWith("200 ")
                    .contains("\"term\":1", "\"leader\":\"first\"", "[\"first\",\"second\"]");
            assertThat(healthy).startsWith("200 ").contains("\"status\":\"UP\"", "\"role\":\"CANDIDATE\"");
            assertThat(refused).startsWith("400 ");
            assertThat(moved).startsWith("200 ").contains("\"outcome\":\"Transferred\"");
            assertThat(resigned).startsWith("200 ").contains("\"outcome\":");
            assertThat(here).startsWith("200 ").contains("\"term\":2", "\"role\":\"LEADER\"");
            assertThat(led).isEqualTo(1);
            assertThat(first.getBean(MeterRegistry.class)
                            .get("incumbent.coordinator.calls")
                            .tag("operation", "swap")
                            .tag("outcome", "ok")
                            .timer()
                            .count())
                    .isPositive();
        }
    }

    /** Within its stop budget of five seconds. */
    @Test
    @Tag("realtime")
    void aMethodThatIsToldToStopStillReachesTheWebServer() throws Exception {
        try (Instances instances = new Instances(folder, Application.class).withWebServer()) {
            ConfigurableApplicationContext first = instances.start("first");
            Instances.awaitLeading(first, NAME);
            Worker worker = first.getBean(Worker.class);
            Answers answers = first.getBean(Answers.class);
            new Thread(() -> worker.workUntilTold(() -> Instances.get(first, "/actuator/elections"))).start();
            assertThat(answers.began.await(40, TimeUnit.SECONDS)).isTrue();

            first.close();

            assertThat(answers.whenTold.get(40, TimeUnit.SECONDS)).startsWith("200 ");
        }
    }

    @Test
    @Tag("realtime")
    void anInstanceWhoseCoordinatorIsGoneIsOutOfServiceUntilItIsBack() {
        try (PostgresServer database = PostgresServer.start();
                Instances instances = new Instances(folder, Application.class)
                        .withWebServer()
                        .with("incumbent.at=" + database.jdbcUrl(), "incumbent.lease=3s")) {
            ConfigurableApplicationContext first = instances.start("first");
            Instances.awaitLeading(first, NAME);
            String before = Instances.get(first, "/actuator/health/incumbent");

            database.kill();
            Await.until(
                    "503",
                    () -> Instances.get(first, "/actuator/health/incumbent").startsWith("503 "));
            String without = Instances.get(first, "/actuator/health/incumbent");
            database.startAgain();
            Await.until(
                    "200",
                    () -> Instances.get(first, "/actuator/health/incumbent").startsWith("200 "));

            assertThat(before).startsWith("200 ").contains("\"status\":\"UP\"", "\"role\":\"LEADER\"");
            assertThat(without).contains("\"status\":\"OUT_OF_SERVICE\"", "\"coordinator\":");
        }
    }

    private static double gauge(ConfigurableApplicationContext instance, String name) {
        return instance.getBean(MeterRegistry.class).get(name).gauge().value();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Worker worker(Answers answers) {
            return new Worker(answers);
        }

        @Bean
        Answers answers() {
            return new Answers();
        }
    }

    static class Answers {
        final CountDownLatch began = new CountDownLatch(1);
        final CompletableFuture<String> whenTold = new CompletableFuture<>();
    }

    static class Worker {
        private final Answers answers;

        Worker(Answers answers) {
            this.answers = answers;
        }

        @LeaderOnly(NAME)
        void workUntilTold(Supplier<String> question) {
            answers.began.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException toldToStop) {
                answers.whenTold.complete(question.get());
            }
        }
    }
}
