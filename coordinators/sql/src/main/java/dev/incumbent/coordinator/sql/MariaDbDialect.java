package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.jdbc.Names;
import dev.incumbent.model.ElectionName;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;

/** MariaDB and MySQL, both spoken to by MariaDB's driver. */
final class MariaDbDialect implements Dialect {
    private static final String TEXT = "varchar(255) character set ascii collate ascii_bin";
    private static final String WORD = "varchar(255) character set utf8mb4 collate utf8mb4_bin";
    private static final String TABLE =
            " engine=InnoDB row_format=dynamic default character set utf8mb4 collate utf8mb4_bin";

    /** What the driver says of a server that speaks no TLS, or shows a certificate of its own making. */
    private static final Pattern NO_TLS = Pattern.compile("ssl not enabled in the server|Self signed certificates");

    @Override
    public String product() {
        return "MariaDB";
    }

    @Override
    public String artifact() {
        return "org.mariadb.jdbc:mariadb-java-client";
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(
                Duration.ofSeconds(2),
                Duration.ofNanos(1_000),
                Duration.ofMillis(250),
                false,
                true,
                Capabilities.ExpiryClock.SERVER_WALL,
                Capabilities.Consistency.LINEARIZABLE);
    }

    /** Where nobody has chosen a log for it, the driver writes each refusal of the server to standard error, which is the command line's. */
    @Override
    public Driver driver() {
        boolean isChosen = System.getProperties().stringPropertyNames().stream()
                .anyMatch(property -> property.startsWith("mariadb.logging."));
        if (!isChosen && !isLogged()) {
            System.setProperty("mariadb.logging.disable", "true");
        }
        return new org.mariadb.jdbc.Driver();
    }

    private static boolean isLogged() {
        try {
            Class.forName("org.slf4j.LoggerFactory", false, MariaDbDialect.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }

    /** An update counts the rows that it found, changed or not. */
    @Override
    public void bound(Properties properties, Duration requestTimeout) {
        String millis = Long.toString(Math.max(1, requestTimeout.toMillis()));
        properties.putIfAbsent("connectTimeout", millis);
        properties.putIfAbsent("socketTimeout", millis);
        properties.setProperty("useAffectedRows", "false");
        properties.setProperty("autocommit", "true");
    }

    @Override
    public void settle(Connection connection, Bounds bounds) throws SQLException {
        boolean mysql = refuseOld(connection.getMetaData());
        long lockSeconds = Math.max(1, bounds.lock().toSeconds());
        try (Statement statement = connection.createStatement()) {
            refuseSeveralPrimaries(statement);
            statement.execute("set session innodb_lock_wait_timeout=" + lockSeconds + ", lock_wait_timeout="
                    + lockSeconds + ", autocommit=1");
            statement.execute("set session transaction isolation level read committed");
            if (!mysql) {
                statement.execute("set session max_statement_time=" + bounds.statementMillis() / 1000.0);
            }
        }
    }

    @Override
    public String standbySign() {
        return "case when concat(@@global.read_only) not in ('0', 'OFF') then 'read_only is ON'"
                + " when concat(@@global.innodb_read_only) not in ('0', 'OFF') then 'innodb_read_only is ON' end";
    }

    /** An administrator may write to such a server all the same, but the server that it follows, or that took its place, would not know. */
    @Override
    public String unlessStandby() {
        return " and (" + standbySign() + ") is null";
    }

    /** Who lacks the right to see all sessions sees those of its own user. Times are whole seconds, and a lock is waited for for one at least. */
    @Override
    public String unfinishedSign(Bounds bounds) {
        long seconds = Math.max(2, bounds.statement().toSeconds() + 1);
        return "(select concat(count(*), ' sessions, for ', max(time), ' s, ', min(state)) from"
                + " information_schema.processlist where db=database() and time>=" + seconds
                + " and info regexp '^(insert into|update|delete from) incumbent_' having count(*)>=" + UNFINISHED
                + ")";
    }

    @Override
    public List<String> restoring(Connection connection) throws SQLException {
        boolean mysql = refuseOld(connection.getMetaData());
        try (Statement statement = connection.createStatement();
                ResultSet bounds = statement.executeQuery("select concat('set session innodb_lock_wait_timeout=',"
                        + " @@session.innodb_lock_wait_timeout, ', lock_wait_timeout=', @@session.lock_wait_timeout"
                        + (mysql ? ")" : ", ', max_statement_time=', @@session.max_statement_time)"))) {
            bounds.next();
            return List.of(bounds.getString(1), "set session transaction isolation level " + isolation(connection));
        }
    }

    private static String isolation(Connection connection) throws SQLException {
        return switch (connection.getTransactionIsolation()) {
            case Connection.TRANSACTION_READ_UNCOMMITTED -> "read uncommitted";
            case Connection.TRANSACTION_READ_COMMITTED -> "read committed";
            case Connection.TRANSACTION_SERIALIZABLE -> "serializable";
            default -> "repeatable read";
        };
    }

    private static boolean refuseOld(DatabaseMetaData server) throws SQLException {
        boolean mysql = !server.getDatabaseProductVersion().contains("MariaDB");
        int version = server.getDatabaseMajorVersion() * 100 + server.getDatabaseMinorVersion();
        if (version < (mysql ? 800 : 1006)) {
            throw new CoordinatorUnusableException("is " + (mysql ? "MySQL " : "MariaDB ")
                    + server.getDatabaseMajorVersion() + "." + server.getDatabaseMinorVersion()
                    + "; the oldest that serve are MariaDB 10.6 and MySQL 8.0");
        }
        return mysql;
    }

    /** Such servers share no locks, and one may answer a read before it has applied what another acknowledged. */
    private static void refuseSeveralPrimaries(Statement statement) throws SQLException {
        try (ResultSet setting = statement.executeQuery("show global variables where"
                + " variable_name = 'wsrep_on' and value = 'ON'"
                + " or variable_name = 'group_replication_single_primary_mode' and value = 'OFF'")) {
            if (setting.next()) {
                throw new CoordinatorUnusableException(
                        setting.getString(1).equals("wsrep_on")
                                ? "is a node of a Galera cluster (wsrep_on is ON), whose nodes share no locks and may"
                                        + " answer reads from the past; name a server without Galera"
                                : "replicates in a group with several primaries (group_replication_single_primary_mode"
                                        + " is OFF), which share no locks and may answer reads from the past; name a"
                                        + " server of a group with one primary");
            }
        }
    }

    @Override
    public boolean isPooled(Connection connection) {
        return false;
    }

    /** Not now(), which follows each session's own time zone. */
    @Override
    public String now() {
        return "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))";
    }

    @Override
    public String names() {
        return "json_table(?, '$[*]' columns(name " + TEXT + " path '$')) j";
    }

    @Override
    public Object namesArgument(Connection connection, Collection<ElectionName> elections) {
        return Names.array(elections);
    }

    @Override
    public String namesWithNonces() {
        return "json_table(?, '$[*]' columns(name " + TEXT + " path '$[0]', nonce " + WORD + " path '$[1]')) j";
    }

    @Override
    public Object[] namesWithNoncesArguments(Connection connection, Map<ElectionName, String> nonces) {
        return new Object[] {Names.pairs(nonces)};
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
                "create table if not exists incumbent_schema(version integer not null primary key)" + TABLE,
                "create table if not exists incumbent_lease(id " + WORD + " primary key, owner " + WORD
                        + " not null, ttl_us bigint not null, expires_us bigint not null,"
                        + " dead boolean not null default false)" + TABLE,
                "create table if not exists incumbent_election(name " + TEXT + " primary key,"
                        + " revision bigint not null, nonce " + WORD + " not null, lease " + WORD
                        + ", record longtext not null)" + TABLE,
                "create table if not exists incumbent_candidate(position bigint not null auto_increment unique,"
                        + " election " + TEXT + " not null, candidate " + WORD + " not null, lease " + WORD
                        + " not null, body longtext not null, primary key(election, candidate), key(lease))" + TABLE);
    }

    @Override
    public List<String> lockOfInstalling() {
        return List.of("select get_lock('incumbent_install', 5)");
    }

    @Override
    public List<String> unlockOfInstalling() {
        return List.of("select release_lock('incumbent_install')");
    }

    @Override
    public boolean isMissingTable(SQLException e) {
        return e.getErrorCode() == 1146;
    }

    @Override
    public boolean isDuplicate(SQLException e) {
        return e.getErrorCode() == 1062;
    }

    /** With {@code innodb_snapshot_isolation}, the default from 11.8 on, it has no SQLSTATE of its own. */
    @Override
    public boolean isOvertaken(SQLException e) {
        return e.getErrorCode() == 1020 || Dialect.super.isOvertaken(e);
    }

    /** The driver's own refusals have no number. */
    @Override
    public Failure meaning(SQLException e) {
        if ("S1009".equals(e.getSQLState())) {
            return Failure.UNENCRYPTED;
        }
        if (NO_TLS.matcher(String.valueOf(e.getMessage())).find()) {
            return Failure.UNAVAILABLE;
        }
        return switch (e.getErrorCode()) {
            case 1045, 1129, 1130, 1251, 1524, 1698, 1820, 1862, 3118, 3955, 4150, 4151 -> Failure.CREDENTIALS;
            case 1115, 1193, 1231, 1232, 1238, 1273 -> Failure.UNAVAILABLE;
            case 3159 -> Failure.UNENCRYPTED;
            case 1049 -> Failure.NO_DATABASE;
            case 1044, 1142, 1143, 1227, 1370 -> Failure.RIGHTS;
            case 1146 -> Failure.NO_TABLE;
            case 1290, 1792, 1836, 3989 -> Failure.READ_ONLY;
            case 1665 -> Failure.SETTING;
            case 1021, 1114 -> Failure.FULL;
            case 4031 -> Failure.ENDED;
            case 1040, 1203, 1226, 3032 -> Failure.CROWDED;
            case 1205, 1213, 1020, 1062, 1969, 3024 -> Failure.NOT_APPLIED;
            default ->
                e.getSQLState() != null && e.getSQLState().matches("(21|22|23|25|42).*")
                        ? Failure.NOT_APPLIED
                        : Failure.UNKNOWN;
        };
    }
}
