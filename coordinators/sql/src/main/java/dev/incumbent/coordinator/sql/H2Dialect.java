package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.Capabilities;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

/** H2 in this process, with a file that holds what it acknowledged. */
final class H2Dialect implements ArrayDialect {
    @Override
    public String product() {
        return "H2";
    }

    @Override
    public String artifact() {
        return "com.h2database:h2";
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(
                Duration.ofSeconds(1),
                Duration.ofNanos(1_000),
                Duration.ofMillis(250),
                false,
                true,
                Capabilities.ExpiryClock.SERVER_WALL,
                Capabilities.Consistency.LINEARIZABLE);
    }

    @Override
    public Driver driver() {
        return new org.h2.Driver();
    }

    @Override
    public void bound(Properties properties, Duration requestTimeout) {}

    @Override
    public void settle(Connection connection, Bounds bounds) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set lock_timeout " + bounds.lockMillis());
            statement.execute("set query_timeout " + bounds.statementMillis());
        }
    }

    @Override
    public String standbySign() {
        return "cast(null as varchar)";
    }

    /** Its connections are always ours. */
    @Override
    public List<String> restoring(Connection connection) {
        return List.of();
    }

    @Override
    public boolean isPooled(Connection connection) {
        return false;
    }

    @Override
    public String now() {
        return "cast(extract(epoch from current_timestamp(6))*1000000 as bigint)";
    }

    @Override
    public String textType() {
        return "varchar";
    }

    @Override
    public String orNothing() {
        return "";
    }

    @Override
    public boolean listen(ServerSession session) {
        return false;
    }

    @Override
    public List<String> heard(ServerSession session, Duration atMost) {
        return List.of();
    }

    @Override
    public List<String> tables() {
        return List.of(
                "create table if not exists incumbent_schema(version integer not null primary key)",
                "create table if not exists incumbent_lease(id varchar primary key, owner varchar not null,"
                        + " ttl_us bigint not null, expires_us bigint not null, dead boolean default false not null)",
                "create table if not exists incumbent_election(name varchar primary key, revision bigint not null,"
                        + " nonce varchar not null, lease varchar, record varchar not null)",
                "create table if not exists incumbent_candidate(position bigint generated always as identity,"
                        + " election varchar not null, candidate varchar not null, lease varchar not null,"
                        + " body varchar not null, primary key(election, candidate), unique(lease, election, candidate))",
                "merge into incumbent_schema(version) key(version) values(" + ServerSchema.VERSION + ")");
    }

    /** None is needed: each statement of {@link #tables()} may run at once with its like. {@code create index if not exists} may not. */
    @Override
    public List<String> lockOfInstalling() {
        return List.of();
    }

    @Override
    public List<String> unlockOfInstalling() {
        return List.of();
    }

    @Override
    public boolean isMissingTable(SQLException e) {
        return e.getErrorCode() == 42102 || e.getErrorCode() == 42104 || e.getErrorCode() == 42103;
    }

    @Override
    public boolean isDuplicate(SQLException e) {
        return e.getErrorCode() == 23505;
    }

    @Override
    public Failure meaning(SQLException e) {
        return switch (e.getErrorCode()) {
            case 28000, 90049 -> Failure.CREDENTIALS;
            case 90011, 90046, 90048, 90050, 90059, 90088, 90113 -> Failure.UNAVAILABLE;
            case 90146, 90013, 90124 -> Failure.NO_DATABASE;
            case 90096, 90040, 90118 -> Failure.RIGHTS;
            case 42102, 42103, 42104 -> Failure.NO_TABLE;
            case 90097 -> Failure.READ_ONLY;
            case 90100 -> Failure.FULL;
            case 50200, 40001, 57014, 90020 -> Failure.NOT_APPLIED;
            default ->
                e.getSQLState() != null && e.getSQLState().matches("(21|22|23|42).*")
                        ? Failure.NOT_APPLIED
                        : Failure.UNKNOWN;
        };
    }
}
