package dev.incumbent.fence.sql;

import dev.incumbent.fence.Raise;
import dev.incumbent.model.ElectionName;
import dev.incumbent.sql.SqlUri;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL as a sink. Each question is one transaction and one round trip, with all its settings local to it: any pooler between may give it another session. Each
 * function and operator is named with its schema, as in {@link PostgresFence}: a planted one would be called with the leader's rights.
 */
final class PostgresServer implements Server {
    /**
     * Two statements in one round trip. The server starts the clock that looks for the client when a statement begins, so the first one asks for it on behalf of the
     * second. Before version 14 there is no such setting. Whoever raises reads what an admission reads: of an older fence it must not hear later.
     */
    private static final String RAISE =
            "SELECT pg_catalog.set_config('lock_timeout', ?, true), pg_catalog.set_config('incumbent.lease_ms', ?, true),"
                    + " pg_catalog.set_config('client_min_messages', 'warning', true),"
                    + " CASE WHEN pg_catalog.current_setting('client_connection_check_interval', true) IS NOT NULL"
                    + " THEN pg_catalog.set_config('client_connection_check_interval', ?, true) END;"
                    + " SELECT outcome, token, owner, (SELECT f.send_ms FROM incumbent.fence f LIMIT 0) FROM incumbent.raise(?, ?, ?)";

    /** How often a raise that waits looks whether its process still lives: one that was killed leaves the queue, where the leader's admissions wait behind it. */
    private static final String LOOKS_EVERY = "1s";

    private static final String NEVER = "0";

    /** The lock of an election as the view {@code incumbent.admitted} has it, held by a transaction that was prepared, whose process is gone. */
    private static final String PREPARED = "(SELECT p.gid FROM pg_catalog.pg_prepared_xacts p, pg_catalog.pg_locks own,"
            + " pg_catalog.pg_locks l WHERE own.pid IS NULL AND own.transactionid OPERATOR(pg_catalog.=) p.transaction"
            + " AND l.pid IS NULL AND l.virtualtransaction OPERATOR(pg_catalog.=) own.virtualtransaction"
            + " AND l.locktype OPERATOR(pg_catalog.=) 'advisory'"
            + " AND l.classid OPERATOR(pg_catalog.=) 1229866573::oid AND l.objsubid OPERATOR(pg_catalog.=) 2::smallint"
            + " AND l.objid OPERATOR(pg_catalog.=) (pg_catalog.int8and(pg_catalog.hashtext(?)::bigint, 4294967295))::oid"
            + " LIMIT 1)";

    private static final String BLOCKER = "SELECT pg_catalog.concat(CASE WHEN pid IS NULL THEN"
            + " pg_catalog.concat('the prepared transaction ', " + PREPARED
            + ", ', until it is committed or rolled back')"
            + " ELSE pg_catalog.concat('process ', pid, ' (', pg_catalog.concat_ws(', ',"
            + told("user ", "usename") + told("application ", "application_name") + told("client ", "client_addr")
            + " CASE WHEN state IS NOT NULL THEN pg_catalog.concat(state, ' for ', pg_catalog.round(EXTRACT(epoch FROM"
            + " pg_catalog.timestamptz_mi(pg_catalog.clock_timestamp(), state_change))::numeric, 1), ' s') END), ')') END,"
            + " CASE WHEN pg_catalog.int8gt(pg_catalog.count(*) OVER (), 1)"
            + " THEN pg_catalog.concat(' and ', pg_catalog.int8mi(pg_catalog.count(*) OVER (), 1), ' more') END)"
            + " FROM incumbent.admitted WHERE election OPERATOR(pg_catalog.=) ?"
            + " AND (pid IS NULL OR pid OPERATOR(pg_catalog.<>) pg_catalog.pg_backend_pid()) LIMIT 1";

    /** A column with a word before it, where it has a value. */
    private static String told(String word, String column) {
        return " CASE WHEN pg_catalog.length(pg_catalog.concat(" + column + ")) OPERATOR(pg_catalog.>) 0"
                + " THEN pg_catalog.concat('" + word + "', " + column + ") END,";
    }

    /** The earlier raises of this role that wait for no lock, and so for their commit: a role sees what the sessions of its own do. */
    private static final String UNFINISHED_RAISES =
            "SELECT pg_catalog.concat(pg_catalog.count(*), ' sessions, since ', pg_catalog.date_trunc('second',"
                    + " pg_catalog.min(query_start)), ', ', COALESCE(pg_catalog.min(wait_event), 'at work'))"
                    + " FROM pg_catalog.pg_stat_activity WHERE datname OPERATOR(pg_catalog.=) pg_catalog.current_database()"
                    + " AND pid OPERATOR(pg_catalog.<>) pg_catalog.pg_backend_pid() AND state OPERATOR(pg_catalog.=) 'active'"
                    + " AND COALESCE(wait_event_type, '') OPERATOR(pg_catalog.<>) 'Lock'"
                    + " AND pg_catalog.strpos(query, 'incumbent.raise(') OPERATOR(pg_catalog.>) 0"
                    + " AND query_start OPERATOR(pg_catalog.<) pg_catalog.timestamptz_mi_interval("
                    + "pg_catalog.clock_timestamp(), pg_catalog.make_interval(secs => %.3f))"
                    + " HAVING pg_catalog.int8ge(pg_catalog.count(*), " + Server.UNFINISHED + ")";

    private static final String STANDBY = "CASE WHEN pg_catalog.pg_is_in_recovery() THEN 'it is a standby' END";
    private static final String READ_ONLY = "25006";
    private static final String WARNING = "01000";
    private static final String INVALID_VALUE = "22023";

    private final SqlUri uri;

    PostgresServer(SqlUri uri) {
        this.uri = uri;
    }

    @Override
    public String label() {
        return uri.label();
    }

    @Override
    public Connection connect(Duration bound) throws SQLException {
        String seconds = Long.toString(bound.plusMillis(999).toSeconds());
        Connection connection = uri.connect(
                new org.postgresql.Driver(),
                uri.withPrimary(
                        "connectTimeout", seconds,
                        "loginTimeout", seconds,
                        "socketTimeout", seconds,
                        "prepareThreshold", "0",
                        "ApplicationName", "incumbent fence"));
        try {
            connection.setNetworkTimeout(Runnable::run, (int) Math.min(Integer.MAX_VALUE, bound.toMillis()));
            standby().refuse(connection);
            return connection;
        } catch (SQLException refused) {
            connection.close();
            throw refused;
        }
    }

    /** A raise needs no such question: a standby refuses it by itself, whoever raises. */
    @Override
    public StandbySign standby() {
        return new StandbySign(STANDBY, sign -> {
            uri.leave();
            return new SQLException(sign, READ_ONLY);
        });
    }

    @Override
    public void refuseUnfinished(Connection connection, Duration bound) throws SQLException {
        Server.refuseUnfinished(connection, String.format(Locale.ROOT, UNFINISHED_RAISES, bound.toMillis() / 1e3));
    }

    @Override
    public MarkRows marks() {
        return new MarkRows(table("fence"), "OPERATOR(pg_catalog.=)", standby());
    }

    @Override
    public String table(String name) {
        return "incumbent." + name;
    }

    @Override
    public Raise raise(Connection connection, RaiseAsked asked, Duration wait) throws SQLException {
        try {
            return raise(connection, asked, wait, LOOKS_EVERY);
        } catch (SQLException failure) {
            if (!isUnableToLook(failure)) {
                throw failure;
            }
            return raise(connection, asked, wait, NEVER);
        }
    }

    /** The system of the server cannot tell whether a client is gone, so the server refuses the setting. Nothing was done. */
    private static boolean isUnableToLook(SQLException failure) {
        return INVALID_VALUE.equals(failure.getSQLState())
                && String.valueOf(failure.getMessage()).contains("client_connection_check_interval");
    }

    private static Raise raise(Connection connection, RaiseAsked asked, Duration wait, String looksEvery)
            throws SQLException {
        try (PreparedStatement raise = connection.prepareStatement(RAISE)) {
            raise.setString(1, Math.max(1, wait.toMillis()) + "ms");
            raise.setString(2, asked.leaseMillis().orElse(""));
            raise.setString(3, looksEvery);
            raise.setString(4, asked.election().value());
            raise.setLong(5, asked.mark().token().value());
            raise.setString(6, asked.mark().owner().text());
            raise.execute();
            refuseAlone(raise.getWarnings());
            raise.getMoreResults();
            try (ResultSet row = raise.getResultSet()) {
                row.next();
                return asked.answer(row);
            }
        }
    }

    /**
     * A commit whose wait for the synchronous standby is cancelled is acknowledged, with a warning; a raise has no other. A raise that is repeated locks its row, and so is acknowledged
     * only once the standby has all that came before.
     */
    private static void refuseAlone(@Nullable SQLWarning warning) throws SQLException {
        if (warning != null && WARNING.equals(warning.getSQLState())) {
            throw new SQLException(
                    "it was done, and its synchronous standby may not have it (" + warning.getMessage() + ")",
                    WARNING,
                    warning);
        }
    }

    @Override
    public boolean isWaitOver(SQLException failure) {
        return "55P03".equals(failure.getSQLState());
    }

    @Override
    public Optional<String> blocker(Connection connection, ElectionName election) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(BLOCKER)) {
            query.setString(1, election.value());
            query.setString(2, election.value());
            return Server.words(query);
        }
    }

    @Override
    public String meaning(SQLException failure) {
        String message = String.valueOf(failure.getMessage()).replaceAll("\\s+", " ");
        if (failure.getCause() instanceof UnknownHostException host) {
            return "there is no host " + host.getMessage();
        }
        return switch (String.valueOf(failure.getSQLState())) {
            case "42P01", "42883", "3F000" ->
                message.contains("incumbent")
                        ? "it is not installed as a sink, or in the older form in schema public (incumbent fence install)"
                        : message;
            case "42703" ->
                message.contains("send_ms")
                        ? "it was installed by an older version: install it again, incumbent fence install (" + message
                                + ")"
                        : message;
            case "28P01", "28000" -> "the server refuses the user or the password (" + message + ")";
            case "3D000" -> "there is no such database (" + message + ")";
            case "42501" -> "this user may not (" + message + ")";
            case READ_ONLY -> "the server is read-only, as a standby is";
            case "08001", "08004" -> "it cannot be reached (" + message + ")";
            default -> message;
        };
    }
}
