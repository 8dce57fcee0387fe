package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.jdbc.Sql;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.util.PSQLWarning;

/** PostgreSQL, and a pooler before it. */
final class PostgresDialect implements ArrayDialect {
    private static final int OLDEST = 12;
    static final String CHANNEL = "incumbent";

    private static final Pattern ABSENT_BEHIND_POOLER = Pattern.compile("database \".*\" does not exist");

    /** The code of all warnings; of an error it is ours alone. */
    private static final String ALONE = "01000";

    /** The function of the server in which a commit waits for its synchronous standby. */
    private static final String STANDBY_WAIT = "SyncRepWaitForLSN";

    /** Drawn once; the same in every version of ours, so that they exclude each other. */
    private static final long INSTALLING = 4_846_791_580_151_137_091L;

    /** What commits wait for: everything but these is weaker than a write that is told done needs. */
    private static final String DURABLY =
            "set_config('synchronous_commit', case current_setting('synchronous_commit') when 'remote_apply'"
                    + " then 'remote_apply' else 'on' end, ";

    /** Without it a server may keep to itself that it did not wait. */
    private static final String TELLING = "set_config('client_min_messages', 'warning', ";

    /** Evaluated for each row that is written, it holds for the transaction alone; so it serves behind a pooler, too. */
    static final String DURABLY_HERE = DURABLY + "true), " + TELLING + "true)";

    @Override
    public String product() {
        return "PostgreSQL";
    }

    @Override
    public String artifact() {
        return "org.postgresql:postgresql";
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(
                Duration.ofSeconds(1),
                Duration.ofNanos(1_000),
                Duration.ofMillis(250),
                true,
                true,
                Capabilities.ExpiryClock.SERVER_WALL,
                Capabilities.Consistency.LINEARIZABLE);
    }

    @Override
    public Driver driver() {
        return new org.postgresql.Driver();
    }

    @Override
    public void bound(Properties properties, Duration requestTimeout) {
        String seconds = Long.toString(Math.max(1, requestTimeout.toSeconds()));
        properties.putIfAbsent("connectTimeout", seconds);
        properties.putIfAbsent("loginTimeout", seconds);
        properties.putIfAbsent("tcpKeepAlive", "true");
        properties.putIfAbsent("ApplicationName", "incumbent");
    }

    @Override
    public void settle(Connection connection, Bounds bounds) throws SQLException {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        if (version < OLDEST) {
            throw new CoordinatorUnusableException(
                    "is PostgreSQL " + version + "; the oldest that serves is " + OLDEST);
        }
        if (isPooled(connection)) {
            connection.unwrap(PGConnection.class).setPrepareThreshold(0);
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("set lock_timeout=" + bounds.lockMillis() + "; set statement_timeout="
                    + bounds.statementMillis() + "; set default_transaction_isolation='read committed';"
                    + " select " + DURABLY + "false), " + TELLING + "false)");
        }
    }

    /** A standby that is promoted keeps its sessions; a primary becomes a standby by a restart, which ends them, but not those with a pooler. */
    @Override
    public String standbySign() {
        return "case when pg_is_in_recovery() then 'it is a standby' end";
    }

    /**
     * Neither {@code statement_timeout} nor the end of its client ends a commit that waits for its synchronous standby, or for the disk; locks are waited for before it, and not for
     * longer than {@code lock_timeout}. A role sees what the sessions of its own do.
     */
    @Override
    public String unfinishedSign(Bounds bounds) {
        return "(select count(*) || ' sessions, since ' || date_trunc('second', min(query_start)) || ', '"
                + " || coalesce(min(wait_event), 'at work') from pg_stat_activity where datname=current_database()"
                + " and state='active' and wait_event_type is distinct from 'Lock'"
                + " and query ~ '^(insert|update|delete|with|select pg_logical_emit_message).*incumbent'"
                + " and query_start<clock_timestamp()-interval '" + bounds.statementMillis() + " milliseconds'"
                + " having count(*)>=" + UNFINISHED + ")";
    }

    @Override
    public Optional<Sql.Warnings> warnings() {
        return Optional.of(PostgresDialect::refuseAlone);
    }

    /**
     * A commit whose wait for the synchronous standby is cancelled is acknowledged, with a warning. Its words are in the server's language, and its code is that of all warnings, so
     * it is known by the server's function that tells it.
     */
    private static void refuseAlone(SQLWarning warning) throws SQLException {
        boolean isAlone = warning instanceof PSQLWarning told
                && Optional.ofNullable(told.getServerErrorMessage())
                        .filter(message -> STANDBY_WAIT.equals(message.getRoutine()))
                        .isPresent();
        if (isAlone) {
            throw new SQLException(warning.getMessage(), ALONE, warning);
        }
    }

    @Override
    public Optional<String> marker() {
        return Optional.of("select pg_logical_emit_message(true, '" + CHANNEL + "', ''), " + DURABLY_HERE);
    }

    @Override
    public List<String> restoring(Connection connection) throws SQLException {
        if (isPooled(connection)) {
            return List.of();
        }
        try (Statement statement = connection.createStatement();
                ResultSet setting = statement.executeQuery("select 'select set_config(' || quote_literal(name) || ', '"
                        + " || quote_literal(current_setting(name)) || ', false)' from unnest(array['lock_timeout',"
                        + " 'statement_timeout', 'default_transaction_isolation', 'synchronous_commit',"
                        + " 'client_min_messages']) name")) {
            List<String> statements = new ArrayList<>(List.of("unlisten *"));
            while (setting.next()) {
                statements.add(setting.getString(1));
            }
            return statements;
        }
    }

    /** A pooler gives its clients process numbers of its own. */
    @Override
    public boolean isPooled(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                var result = statement.executeQuery("select pg_backend_pid()")) {
            return !result.next()
                    || result.getInt(1) != connection.unwrap(PGConnection.class).getBackendPID();
        }
    }

    @Override
    public String now() {
        return "(extract(epoch from clock_timestamp())*1000000)::bigint";
    }

    @Override
    public String textType() {
        return "text";
    }

    @Override
    public String orNothing() {
        return " on conflict do nothing";
    }

    @Override
    public Optional<String> notification() {
        return Optional.of("select pg_notify('" + CHANNEL + "', j.name) from " + names());
    }

    @Override
    public Optional<String> durably(String write) {
        return Optional.of(write + " returning " + DURABLY_HERE);
    }

    @Override
    public Optional<ServerJoints> joints() {
        return Optional.of(new ServerJoints(this));
    }

    @Override
    public boolean listen(ServerSession session) throws SQLException {
        if (session.isPooled()) {
            return false;
        }
        session.sql().execute("listen " + CHANNEL);
        return true;
    }

    @Override
    public List<String> heard(ServerSession session, Duration atMost) throws SQLException {
        PGNotification[] notifications =
                session.connection().unwrap(PGConnection.class).getNotifications((int) Math.max(1, atMost.toMillis()));
        List<String> names = new ArrayList<>();
        if (notifications != null) {
            for (PGNotification notification : notifications) {
                names.add(notification.getParameter());
            }
        }
        return names;
    }

    @Override
    public List<String> tables() {
        return List.of(
                """
                create table if not exists incumbent_schema(version integer not null primary key)""",
                """
                create table if not exists incumbent_lease(
                  id text collate "C" primary key, owner text not null, ttl_us bigint not null,
                  expires_us bigint not null, dead boolean not null default false) with (fillfactor=50)""",
                """
                create table if not exists incumbent_election(
                  name text collate "C" primary key, revision bigint not null, nonce text collate "C" not null,
                  lease text collate "C", record text not null) with (fillfactor=50)""",
                """
                create table if not exists incumbent_candidate(
                  position bigint generated always as identity, election text collate "C" not null,
                  candidate text collate "C" not null, lease text collate "C" not null, body text not null,
                  primary key(election, candidate))""",
                "create index if not exists incumbent_candidate_lease on incumbent_candidate(lease)");
    }

    @Override
    public List<String> lockOfInstalling() {
        return List.of("begin", "select pg_advisory_xact_lock(" + INSTALLING + ")");
    }

    @Override
    public List<String> unlockOfInstalling() {
        return List.of("commit");
    }

    @Override
    public boolean isMissingTable(SQLException e) {
        return "42P01".equals(e.getSQLState());
    }

    @Override
    public boolean isDuplicate(SQLException e) {
        return "23505".equals(e.getSQLState());
    }

    @Override
    public Failure meaning(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        return switch (state) {
            case "28P01", "28000" -> Failure.CREDENTIALS;
            case "08004", "22023", "42704" -> Failure.UNAVAILABLE;
            case "08P01" -> meaningOfPooler(String.valueOf(e.getMessage()));
            case "3D000" -> Failure.NO_DATABASE;
            case "42501" -> Failure.RIGHTS;
            case "42P01", "3F000" -> Failure.NO_TABLE;
            case "25006" -> Failure.READ_ONLY;
            case ALONE -> Failure.ALONE;
            case "53100" -> isEnd(e) ? Failure.UNKNOWN : Failure.FULL;
            case "53300", "57P03" -> Failure.CROWDED;
            case "57P05" -> Failure.ENDED;
            case "57014" -> Failure.NOT_APPLIED;
            case "40003", "58030" -> Failure.UNKNOWN;
            default -> state.matches("(21|22|23|25|40|42|53|54|55).*") ? Failure.NOT_APPLIED : Failure.UNKNOWN;
        };
    }

    /**
     * Up to 1.18, pgbouncer gives one code to all that it says by itself, and most of that passes. Its words are always English. It gives the same code to what the server
     * behind it says to a login; those words are in the server's language.
     */
    private static Failure meaningOfPooler(String words) {
        if (words.contains("unsupported startup parameter")) {
            return Failure.UNAVAILABLE;
        }
        if (words.contains("no such database")
                || ABSENT_BEHIND_POOLER.matcher(words).find()) {
            return Failure.NO_DATABASE;
        }
        return words.contains("authentication failed") || words.contains("no such user")
                ? Failure.CREDENTIALS
                : Failure.UNKNOWN;
    }

    /** Did the session end by it? A server that cannot write its log ends itself, and the statement may stand in the log already. In which language it says so, is its own affair. */
    private static boolean isEnd(SQLException e) {
        return e.getNextException() != null;
    }
}
