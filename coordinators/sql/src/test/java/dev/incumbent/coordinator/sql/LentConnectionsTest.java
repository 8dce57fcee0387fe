package dev.incumbent.coordinator.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.time.SystemTimeline;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an application's pool lends goes back as it came. */
@Tag("patient")
@Timeout(60)
class LentConnectionsTest {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final CandidateId ADA = new CandidateId("ada");

    private final SystemTimeline time = new SystemTimeline();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        time.close();
    }

    @Test
    void aPostgresConnectionGoesBackWithTheSettingsThatItCameWith() throws Exception {
        HikariDataSource pool = pool(
                Servers.postgres(),
                "set lock_timeout='1234ms'; set statement_timeout='54321ms';"
                        + " set default_transaction_isolation='serializable'; set synchronous_commit='off'");
        String settings = "select current_setting('lock_timeout') || ' ' || current_setting('statement_timeout') || ' '"
                + " || current_setting('default_transaction_isolation') || ' ' || current_setting('synchronous_commit')"
                + " || ' ' || (select count(*) from pg_listening_channels())";

        lendToACoordinator(pool);

        assertThat(ofEachConnection(pool, settings)).containsOnly("1234ms 54321ms serializable off 0");
    }

    @Test
    void aMariaDbConnectionGoesBackWithTheSettingsThatItCameWith() throws Exception {
        HikariDataSource pool = pool(
                Servers.mariaDb(),
                "set session innodb_lock_wait_timeout=77, lock_wait_timeout=78, max_statement_time=79,"
                        + " tx_isolation='SERIALIZABLE'");
        String settings = "select concat_ws(' ', @@session.innodb_lock_wait_timeout, @@session.lock_wait_timeout,"
                + " @@session.max_statement_time, @@session.tx_isolation)";

        lendToACoordinator(pool);

        assertThat(ofEachConnection(pool, settings)).containsOnly("77 78 79.000000 SERIALIZABLE");
    }

    @Test
    void theModeAndTheWaitOfAConnectionAreTheApplicationsAgain() throws Exception {
        List<String> ends = new CopyOnWriteArrayList<>();
        ServerRig.Place place = Servers.postgres();
        DataSource lender = proxy(DataSource.class, (method, arguments) -> {
            Connection connection = DriverManager.getConnection(place.url().apply(place.port()));
            connection.setAutoCommit(false);
            connection.setNetworkTimeout(Runnable::run, 98_765);
            return proxy(Connection.class, (call, given) -> {
                if (call.getName().equals("close")) {
                    ends.add("autocommit " + connection.getAutoCommit() + ", wait " + connection.getNetworkTimeout());
                }
                return call.invoke(connection, given);
            });
        });

        Coordinator coordinator = JdbcCoordinator.over(lender).open(time, REQUEST_TIMEOUT);
        await(coordinator.grant(ADA, TTL));
        coordinator.close();

        assertThat(ends).isNotEmpty().containsOnly("autocommit false, wait 98765");
    }

    @Test
    void aConnectionThatBreaksGoesBackToo() throws Exception {
        ServerRig.Place place = Servers.postgres();
        String url = place.url().apply(place.port()) + "&ApplicationName=broken";
        Set<Connection> lent = ConcurrentHashMap.newKeySet();
        DataSource lender = proxy(DataSource.class, (method, arguments) -> {
            Connection connection = DriverManager.getConnection(url);
            lent.add(connection);
            return proxy(Connection.class, (call, given) -> {
                if (call.getName().equals("close")) {
                    lent.remove(connection);
                }
                return call.invoke(connection, given);
            });
        });
        Coordinator coordinator = JdbcCoordinator.over(lender).open(time, REQUEST_TIMEOUT);
        opened.add(coordinator);
        LeaseId lease = await(coordinator.grant(ADA, TTL)).id();
        Hears hears = new Hears();
        coordinator.watch(new ElectionName("job"), hears);
        eventually("the watch tells", hears::isTold);
        for (int i = 0; i < 3; i++) {
            try (Connection other = DriverManager.getConnection(place.url().apply(place.port()));
                    Statement statement = other.createStatement()) {
                statement.execute(
                        "select pg_terminate_backend(pid) from pg_stat_activity where application_name='broken'");
            }
            eventually("its lease is kept again", () -> isKept(coordinator, lease));
            hears.isTold = false;
            coordinator.watch(new ElectionName("job" + i), hears);
            eventually("the watch tells again", hears::isTold);
        }
        assertThat(lent).as("leases, calls, and the watch").hasSizeLessThanOrEqualTo(3);

        coordinator.close();

        eventually("nothing is lent any more", lent::isEmpty);
    }

    @Test
    void whatTheDatabaseIsCalledShowsNoPassword() {
        HikariDataSource pool = pool(Servers.postgres(), "select 1");
        Coordinator coordinator = coordinator(pool);
        coordinator.close();

        assertThatThrownBy(() -> await(coordinator.grant(ADA, TTL)))
                .rootCause()
                .hasMessageStartingWith("the coordinator postgresql://")
                .hasMessageContaining("is closed")
                .hasMessageNotContaining("user")
                .hasMessageNotContaining("?");
    }

    @Test
    void aDatabaseWhereNoCoordinatorIsKnownIsNamed() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:lent");
        HikariDataSource pool = new HikariDataSource(config);
        opened.add(pool);

        assertThatThrownBy(() -> JdbcCoordinator.over(pool).open(time, REQUEST_TIMEOUT))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessage("the data source leads to H2, where no coordinator is known; known are PostgreSQL,"
                        + " MariaDB and MySQL");
    }

    @Test
    void aDataSourceThatGivesNoConnectionSaysWhy() {
        HikariDataSource pool = pool(Servers.postgres(), "select 1");
        pool.close();

        assertThatThrownBy(() -> JdbcCoordinator.over(pool).open(time, REQUEST_TIMEOUT))
                .isInstanceOf(CoordinatorException.class)
                .isNotInstanceOf(CoordinatorUnusableException.class)
                .hasMessageStartingWith("the data source gives no connection: ")
                .hasMessageContaining("closed");
    }

    /** Both kinds of lanes and the watch are used. */
    private void lendToACoordinator(HikariDataSource pool) throws Exception {
        Coordinator coordinator = coordinator(pool);
        LeaseId lease = await(coordinator.grant(ADA, TTL)).id();
        Hears hears = new Hears();
        coordinator.watch(new ElectionName("job"), hears);
        eventually("the watch tells", hears::isTold);
        await(coordinator.read(Set.of(new ElectionName("job"))));
        await(coordinator.revoke(lease));
        coordinator.close();
        assertThat(pool.getHikariPoolMXBean().getIdleConnections())
                .as("one for leases, one for calls")
                .isGreaterThanOrEqualTo(2);
        eventually("nothing is lent any more", () -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    }

    private static List<String> ofEachConnection(HikariDataSource pool, String query) throws SQLException {
        List<Connection> all = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        int idle = pool.getHikariPoolMXBean().getIdleConnections();
        try {
            for (int i = 0; i < idle; i++) {
                Connection one = pool.getConnection();
                all.add(one);
                try (Statement statement = one.createStatement();
                        ResultSet row = statement.executeQuery(query)) {
                    row.next();
                    answers.add(row.getString(1));
                }
            }
        } finally {
            for (Connection one : all) {
                one.close();
            }
        }
        return answers;
    }

    private Coordinator coordinator(HikariDataSource pool) {
        Coordinator coordinator = JdbcCoordinator.over(pool).open(time, REQUEST_TIMEOUT);
        opened.add(coordinator);
        return coordinator;
    }

    private HikariDataSource pool(ServerRig.Place place, String atFirst) {
        HikariConfig config = new HikariConfig();
        String url = place.url().apply(place.port());
        config.setJdbcUrl(url.contains("postgresql") ? url + "&ApplicationName=lent" : url);
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        config.setConnectionInitSql(atFirst);
        config.setConnectionTimeout(REQUEST_TIMEOUT.toMillis());
        HikariDataSource pool = new HikariDataSource(config);
        opened.add(pool);
        return pool;
    }

    private static boolean isKept(Coordinator coordinator, LeaseId lease) {
        try {
            await(coordinator.keepAlive(lease));
            return true;
        } catch (Exception broken) {
            return false;
        }
    }

    private static void eventually(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            SystemTimeline.sleep(Duration.ofMillis(20));
        }
    }

    /** What is done with each call of an object. */
    private interface Calls {
        Object answer(Method method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return calls.answer(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** Hears that something is told. */
    private static final class Hears implements Watcher {
        private volatile boolean isTold;

        boolean isTold() {
            return isTold;
        }

        @Override
        public void changed(ObservedRecord record) {
            isTold = true;
        }

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
