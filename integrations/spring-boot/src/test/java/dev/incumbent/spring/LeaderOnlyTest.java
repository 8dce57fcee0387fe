package dev.incumbent.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.Leadership;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Which method runs where, and what becomes of one that is under way when its term must end. */
@Timeout(180)
class LeaderOnlyTest {
    private static final String NAME = "billing/closer";
    private static final long A_MOMENT_NANOS = 1_000_000;

    @TempDir
    private Path folder;

    @Test
    void aScheduledMethodRunsOnTheLeaderAloneAndOnTheNextOnceThatHasStopped() {
        try (Instances instances = new Instances(folder, Application.class)) {
            ConfigurableApplicationContext first = instances.start("first");
            Seen leading = first.getBean(Seen.class);
            Await.until("that it runs", () -> leading.runs.get() > 0);
            ConfigurableApplicationContext second = instances.start("second");
            Seen standing = second.getBean(Seen.class);
            Instances.awaitStanding(second, NAME);
            Await.until("that the second's schedule has passed", () -> standing.ticks.get() > 3);

            int ranBefore = standing.runs.get();
            first.close();
            Await.until("that the second runs", () -> standing.runs.get() > 0);

            assertThat(ranBefore).isZero();
            assertThat(leading.lastToken.get()).isEqualTo(1);
            assertThat(standing.lastToken.get()).isEqualTo(2);
        }
    }

    @Test
    void onAFollowerAMethodIsSkippedOrAnswersNothingOrThrows() {
        try (Instances instances = new Instances(folder, Application.class)) {
            ConfigurableApplicationContext leader = instances.start("first");
            Instances.awaitLeading(leader, NAME);
            ConfigurableApplicationContext follower = instances.start("second");
            Closer there = follower.getBean(Closer.class);
            Await.until(
                    "that it knows who leads",
                    () -> follower.getBean(Candidacy.class).health().leader().isPresent());

            there.close();
            Optional<String> answer = there.maybe();

            assertThat(follower.getBean(Seen.class).runs).hasValue(0);
            assertThat(answer).isEmpty();
            assertThatThrownBy(there::count)
                    .isInstanceOf(NotLeaderException.class)
                    .hasMessage("Closer.count runs on the leader of " + NAME + " alone, and first leads, as last told");
            assertThat(leader.getBean(Closer.class).maybe()).contains("token 1");
            assertThat(leader.getBean(Closer.class).count()).isPositive();
        }
    }

    @Test
    void theInjectedLeadershipIsTheTermOfTheMethodAndOfNoOther() {
        try (Instances instances = new Instances(folder, Application.class)) {
            ConfigurableApplicationContext instance = instances.start("first");
            Instances.awaitLeading(instance, NAME);

            Leadership outside = instance.getBean(Leadership.class);

            assertThat(instance.getBean(Closer.class).maybe()).contains("token 1");
            assertThatThrownBy(outside::token)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("runs no @LeaderOnly method");
        }
    }

    /** It must be allowed to return within its stop budget of five seconds. */
    @Test
    @Tag("realtime")
    void nobodyElseLeadsBeforeAMethodThatIsToldToStopHasReturned() throws Exception {
        try (Instances instances = new Instances(folder, SlowApplication.class)) {
            ConfigurableApplicationContext first = instances.start("first");
            Instances.awaitLeading(first, NAME);
            ConfigurableApplicationContext second = instances.start("second");
            Instances.awaitStanding(second, NAME);
            Slow slow = first.getBean(Slow.class);
            AtomicBoolean isInterruptLeft = new AtomicBoolean(true);
            Thread caller = new Thread(() -> {
                slow.work();
                isInterruptLeft.set(Thread.currentThread().isInterrupted());
            });
            caller.start();
            Gates gates = first.getBean(Gates.class);
            assertThat(gates.began.await(40, TimeUnit.SECONDS)).isTrue();
            Thread closer = new Thread(first::close);

            closer.start();
            assertThat(gates.toldToStop.await(40, TimeUnit.SECONDS)).isTrue();
            boolean ledMeanwhile = Await.happensSoon(() -> Instances.leads(second, NAME));
            gates.mayReturn.countDown();
            Instances.awaitLeading(second, NAME);

            assertThat(ledMeanwhile).isFalse();
            caller.join(40_000);
            closer.join(40_000);
            assertThat(caller.isAlive() || closer.isAlive()).isFalse();
            assertThat(isInterruptLeft).isFalse();
        }
    }

    @Test
    void aMethodThatNoProxySeesOrThatOutlivesItsTermIsRefusedAtTheStart() {
        assertThatThrownBy(() -> startOnce(HiddenApplication.class))
                .rootCause()
                .hasMessage("@LeaderOnly of Hidden.work (bean hidden) cannot be kept: the method is private,"
                        + " static or final, so no proxy of the bean sees its calls");
        assertThatThrownBy(() -> startOnce(LateApplication.class))
                .rootCause()
                .hasMessage("@LeaderOnly of Late.work (bean late) cannot be kept: the method returns before its"
                        + " work is done, and so would outlive its term");
    }

    private void startOnce(Class<?> application) {
        try (Instances instances = new Instances(folder, application)) {
            instances.start("first");
        }
    }

    @Test
    void anApplicationThatNamesNothingToElectOverDoesNotStart() {
        try (Instances instances = new Instances(folder, Application.class)) {
            assertThatThrownBy(() -> instances.with("incumbent.at=false").start("first"))
                    .rootCause()
                    .hasMessageStartingWith("there is nothing to elect over: set incumbent.at");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(IncumbentAutoConfiguration.class)
    @EnableScheduling
    static class Application {
        @Bean
        Closer closer(Leadership leadership, Seen seen) {
            return new Closer(leadership, seen);
        }

        @Bean
        Seen seen() {
            return new Seen();
        }
    }

    static class Seen {
        final AtomicInteger ticks = new AtomicInteger();
        final AtomicInteger runs = new AtomicInteger();
        final AtomicLong lastToken = new AtomicLong();
    }

    static class Closer {
        private final Leadership leadership;
        private final Seen seen;

        Closer(Leadership leadership, Seen seen) {
            this.leadership = leadership;
            this.seen = seen;
        }

        @Scheduled(fixedDelay = 20)
        void tick() {
            seen.ticks.incrementAndGet();
        }

        @Scheduled(fixedDelay = 20)
        @LeaderOnly("${app.election:billing/closer}")
        void close() {
            seen.lastToken.set(leadership.token().value());
            seen.runs.incrementAndGet();
        }

        @LeaderOnly(NAME)
        Optional<String> maybe() {
            return Optional.of("token " + leadership.token());
        }

        @LeaderOnly(NAME)
        int count() {
            return seen.runs.incrementAndGet();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(IncumbentAutoConfiguration.class)
    static class SlowApplication {
        @Bean
        Slow slow(Gates gates) {
            return new Slow(gates);
        }

        @Bean
        Gates gates() {
            return new Gates();
        }
    }

    static class Gates {
        final CountDownLatch began = new CountDownLatch(1);
        final CountDownLatch toldToStop = new CountDownLatch(1);
        final CountDownLatch mayReturn = new CountDownLatch(1);
    }

    /** Works until it is told to stop, and then until it may return. It leaves the interrupt as it came. */
    static class Slow {
        private final Gates gates;

        Slow(Gates gates) {
            this.gates = gates;
        }

        @LeaderOnly(NAME)
        void work() {
            gates.began.countDown();
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(A_MOMENT_NANOS);
            }
            gates.toldToStop.countDown();
            while (gates.mayReturn.getCount() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(IncumbentAutoConfiguration.class)
    static class HiddenApplication {
        @Bean
        Hidden hidden() {
            return new Hidden();
        }
    }

    static class Hidden {
        @LeaderOnly(NAME)
        final void work() {}
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(IncumbentAutoConfiguration.class)
    static class LateApplication {
        @Bean
        Late late() {
            return new Late();
        }
    }

    static class Late {
        @LeaderOnly(NAME)
        CompletableFuture<Void> work() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
