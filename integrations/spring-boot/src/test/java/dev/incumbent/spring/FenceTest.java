package dev.incumbent.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Leadership;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.servers.PostgresServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** What is written in a term, and what is written beside it, through one pool of a real PostgreSQL, which is the coordinator, too. */
@Timeout(180)
class FenceTest {
    private static final String NAME = "billing";
    private static PostgresServer database;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        database = PostgresServer.start();
        database.psql("CREATE TABLE ledger(token bigint, line text)");
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @Test
    void aLateWriteOfAFormerLeaderIsRefusedAndItsOrdinaryWritesAreNot() throws Exception {
        try (Instances instances = new Instances(folder, Application.class).over(database)) {
            ConfigurableApplicationContext former = instances.start("former");
            Instances.awaitLeading(former, NAME);
            Ledger late = former.getBean(Ledger.class);
            Gates gates = former.getBean(Gates.class);
            FutureTask<Throwable> lateWrite = new FutureTask<>(() -> thrownBy(() -> late.writeLate("late")));
            new Thread(lateWrite).start();
            assertThat(gates.began.await(40, TimeUnit.SECONDS)).isTrue();
            ConfigurableApplicationContext next = instances.start("next");
            Instances.awaitStanding(next, NAME);

            former.getBean(Candidacies.class).of(NAME).resign();
            Instances.awaitLeading(next, NAME);
            long token = next.getBean(Ledger.class).write("next leads");
            gates.mayWrite.countDown();
            Throwable refusal = lateWrite.get(40, TimeUnit.SECONDS);
            former.getBean(JdbcTemplate.class).update("INSERT INTO ledger VALUES (0, 'ordinary')");

            assertThat(refusal).hasRootCauseInstanceOf(StaleTokenException.class);
            assertThat(lines(former, "late")).isEmpty();
            assertThat(lines(former, "ordinary")).containsExactly(0L);
            assertThat(lines(former, "next leads")).containsExactly(token);
            assertThat(token).isEqualTo(tokenOf(next));
            assertThat(gates.token).isLessThan(token);
        }
    }

    @Test
    void aTransactionOfAMethodIsFencedAndOneThatBeganBeforeIsRefused() {
        try (Instances instances = new Instances(folder, Application.class).over(database)) {
            ConfigurableApplicationContext instance = instances.start("first");
            Instances.awaitLeading(instance, NAME);
            Ledger ledger = instance.getBean(Ledger.class);

            assertThatThrownBy(() -> ledger.writeAndFail("undone")).hasMessage("after its write");
            ledger.writeInTransaction("done");
            assertThatThrownBy(() -> instance.getBean(TransactionTemplate.class)
                            .executeWithoutResult(status -> ledger.write("from outside")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("a method of the leader of billing was called in a transaction");

            assertThat(lines(instance, "undone")).isEmpty();
            assertThat(lines(instance, "done")).hasSize(1);
            assertThat(lines(instance, "from outside")).isEmpty();
        }
    }

    private static long tokenOf(ConfigurableApplicationContext leader) {
        return leader.getBean(Candidacies.class)
                .of(NAME)
                .leadership()
                .orElseThrow()
                .token()
                .value();
    }

    private static List<Long> lines(ConfigurableApplicationContext instance, String line) {
        return instance.getBean(JdbcTemplate.class)
                .queryForList("SELECT token FROM ledger WHERE line = ?", Long.class, line);
    }

    private static Throwable thrownBy(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException thrown) {
            return thrown;
        }
        throw new AssertionError("the late write was not refused");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Ledger ledger(JdbcTemplate jdbc, Leadership leadership, Gates gates) {
            return new Ledger(jdbc, leadership, gates);
        }

        @Bean
        Gates gates() {
            return new Gates();
        }
    }

    static class Gates {
        final CountDownLatch began = new CountDownLatch(1);
        final CountDownLatch mayWrite = new CountDownLatch(1);
        volatile long token;
    }

    static class Ledger {
        private final JdbcTemplate jdbc;
        private final Leadership leadership;
        private final Gates gates;

        Ledger(JdbcTemplate jdbc, Leadership leadership, Gates gates) {
            this.jdbc = jdbc;
            this.leadership = leadership;
            this.gates = gates;
        }

        @LeaderOnly(NAME)
        long write(String line) {
            long token = leadership.token().value();
            jdbc.update("INSERT INTO ledger VALUES (?, ?)", token, line);
            return token;
        }

        @LeaderOnly(NAME)
        @Transactional
        void writeInTransaction(String line) {
            write(line);
        }

        @LeaderOnly(NAME)
        @Transactional
        void writeAndFail(String line) {
            write(line);
            throw new IllegalStateException("after its write");
        }

        /** Does not stop when it is told to, as a process that stands still does not. */
        @LeaderOnly(NAME)
        void writeLate(String line) {
            gates.token = leadership.token().value();
            gates.began.countDown();
            boolean mayWrite = false;
            while (!mayWrite) {
                try {
                    gates.mayWrite.await();
                    mayWrite = true;
                } catch (InterruptedException toldToStop) {
                    // It goes on.
                }
            }
            write(line);
        }
    }
}
