package dev.incumbent.fence.sql;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.sql.SqlUri;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** MariaDB or MySQL as a sink. Its limits are settings of the session, so a pooler between must keep sessions apart. */
final class MariaDbServer implements Server {
    /**
     * ER_CHECKREAD, with {@code innodb_snapshot_isolation}: the row that was to be locked is newer than what the transaction has read. The server has rolled the transaction
     * back.
     */
    static final int SNAPSHOT_IS_OLDER = 1020;

    /** Whom the server refuses a right. */
    private static final Pattern USER = Pattern.compile("user '([^']*)'@");

    private static final int DEADLOCK = 1213;
    private static final int READ_ONLY = 1290;
    private static final int MOST_TRIES = 3;

    private static final String BLOCKER =
            "SELECT concat('connection ', p.id, ' (user ', p.user, ', client ', p.host, ', ',"
                    + " lower(p.command), ' for ', p.time, ' s)') FROM information_schema.innodb_lock_waits w"
                    + " JOIN information_schema.innodb_locks l ON l.lock_id = w.requested_lock_id AND l.lock_mode LIKE 'X%'"
                    + " AND l.lock_table LIKE '%incumbent\\_fence%' AND l.lock_data = concat('''', ?, '''')"
                    + " JOIN information_schema.innodb_trx b ON b.trx_id = w.blocking_trx_id"
                    + " JOIN information_schema.processlist p ON p.id = b.trx_mysql_thread_id ORDER BY b.trx_started LIMIT 1";

    /** An empty word is a transaction that has no connection. */
    private static final String BLOCKER_IN_MYSQL =
            "SELECT CASE WHEN p.id IS NULL THEN '' ELSE concat('connection ', p.id, ' (user ', p.user, ', client ', p.host, ', ',"
                    + " lower(p.command), ' for ', p.time, ' s)') END FROM performance_schema.data_lock_waits w"
                    + " JOIN performance_schema.data_locks l ON l.engine_lock_id = w.requesting_engine_lock_id"
                    + " AND l.lock_mode LIKE 'X%' AND l.object_name = 'incumbent_fence' AND l.lock_data = concat('''', ?, '''')"
                    + " JOIN information_schema.innodb_trx b ON b.trx_id = w.blocking_engine_transaction_id"
                    + " LEFT JOIN information_schema.processlist p ON p.id = b.trx_mysql_thread_id"
                    + " WHERE p.id IS NOT NULL OR b.trx_mysql_thread_id = 0 ORDER BY b.trx_started LIMIT 1";

    /** Commits that wait: the server tells no longer which procedure they end. Whoever may not see all sessions sees those of its own user. */
    private static final String UNFINISHED_RAISES =
            "SELECT concat(count(*), ' sessions, for ', max(time), ' s, ', min(state)) FROM information_schema.processlist"
                    + " WHERE db = database() AND time >= %d AND (info LIKE 'commit' OR info LIKE 'call incumbent\\_raise%%')"
                    + " HAVING count(*) >= " + Server.UNFINISHED;

    private static final String STANDBY =
            "CASE WHEN concat(@@global.read_only) NOT IN ('0', 'OFF') THEN 'read_only is ON'"
                    + " WHEN concat(@@global.innodb_read_only) NOT IN ('0', 'OFF') THEN 'innodb_read_only is ON' END";

    private final SqlUri uri;

    MariaDbServer(SqlUri uri) {
        this.uri = uri;
    }

    @Override
    public String label() {
        return uri.label();
    }

    @Override
    public Connection connect(Duration bound) throws SQLException {
        String millis = Long.toString(Math.min(Integer.MAX_VALUE, Math.max(1, bound.toMillis())));
        Connection connection =
                uri.connect(new org.mariadb.jdbc.Driver(), uri.with("connectTimeout", millis, "socketTimeout", millis));
        try {
            refuseSeveralPrimaries(connection);
            standby().refuse(connection);
            return connection;
        } catch (SQLException | SinkException refused) {
            connection.close();
            throw refused;
        }
    }

    static boolean isMySql(Connection connection) throws SQLException {
        return !connection.getMetaData().getDatabaseProductName().equals("MariaDB");
    }

    /** The lock of an admission stays on its server: a raise on another one does not wait for it. The procedure for raises refuses the same. */
    private void refuseSeveralPrimaries(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet setting = statement.executeQuery("SHOW GLOBAL VARIABLES WHERE"
                        + " variable_name = 'wsrep_on' AND value = 'ON'"
                        + " OR variable_name = 'group_replication_single_primary_mode' AND value = 'OFF'")) {
            if (setting.next()) {
                throw new SinkException(label()
                        + (setting.getString(1).equals("wsrep_on")
                                ? ": it is a node of a Galera cluster (wsrep_on is ON), where a raise on one node does"
                                        + " not wait for writes admitted on another; name a server without Galera"
                                : ": it replicates in a group with several primaries"
                                        + " (group_replication_single_primary_mode is OFF), where a raise on one does"
                                        + " not wait for writes admitted on another; name a server of a group with one"
                                        + " primary"));
            }
        }
    }

    @Override
    public StandbySign standby() {
        return new StandbySign(STANDBY, sign -> {
            uri.leave();
            return new SQLException(sign, "HY000", READ_ONLY);
        });
    }

    /** Times are whole seconds. */
    @Override
    public void refuseUnfinished(Connection connection, Duration bound) throws SQLException {
        Server.refuseUnfinished(connection, String.format(Locale.ROOT, UNFINISHED_RAISES, bound.toSeconds() + 1));
    }

    /**
     * Two first raises of one election at once may be taken for a deadlock: one of them goes first then. A server that is made read-only keeps its sessions, and whoever may write all the
     * same, or calls a procedure whose owner may, has its mark there alone: so a raise counts where the server takes writes after its commit.
     */
    @Override
    public Raise raise(Connection connection, RaiseAsked asked, Duration wait) throws SQLException {
        SqliteFile.run(
                connection,
                limit(isMySql(connection), wait) + ", @incumbent_lease_ms = "
                        + asked.leaseMillis().orElse("NULL"));
        for (int tries = 1; ; tries++) {
            try {
                Raise answer = raise(connection, asked);
                standby().refuse(connection);
                return answer;
            } catch (SQLException failure) {
                if (!isOver(failure) || tries == MOST_TRIES) {
                    throw failure;
                }
            }
        }
    }

    /** Has the server rolled back the transaction, so that it may be tried again? */
    private static boolean isOver(SQLException failure) {
        return failure.getErrorCode() == DEADLOCK || failure.getErrorCode() == SNAPSHOT_IS_OLDER;
    }

    /** MySQL knows no limit for a call, and that for a wait in whole seconds only. */
    private static String limit(boolean isMySql, Duration wait) {
        return isMySql
                ? "SET SESSION innodb_lock_wait_timeout = " + Math.max(1, (wait.toMillis() + 500) / 1000)
                : String.format(Locale.ROOT, "SET SESSION max_statement_time = %.3f", wait.toMillis() / 1e3);
    }

    private static Raise raise(Connection connection, RaiseAsked asked) throws SQLException {
        try (PreparedStatement raise = connection.prepareStatement("CALL incumbent_raise(?, ?, ?)")) {
            raise.setString(1, asked.election().value());
            raise.setLong(2, asked.mark().token().value());
            raise.setString(3, asked.mark().owner().text());
            try (ResultSet row = raise.executeQuery()) {
                row.next();
                return asked.answer(row);
            }
        }
    }

    /** 1205 and 1969: InnoDB's wait for a lock, and the statement's time, are over. */
    @Override
    public boolean isWaitOver(SQLException failure) {
        return failure.getErrorCode() == 1205 || failure.getErrorCode() == 1969;
    }

    @Override
    public Optional<String> blocker(Connection connection, ElectionName election) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(isMySql(connection) ? BLOCKER_IN_MYSQL : BLOCKER)) {
            query.setString(1, election.value());
            Optional<String> session = Server.words(query);
            return session.isPresent() && session.get().isEmpty()
                    ? Optional.of(PreparedTransactions.blocker(connection))
                    : session;
        }
    }

    @Override
    public String meaning(SQLException failure) {
        String message = String.valueOf(failure.getMessage()).replaceAll("\\s+", " ");
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException host) {
                return "there is no host " + host.getMessage();
            }
        }
        if (String.valueOf(failure.getSQLState()).startsWith("08")) {
            return "it cannot be reached (" + message + ")";
        }
        return switch (failure.getErrorCode()) {
            case 1146, 1305 ->
                message.contains("incumbent_") ? "it is not installed as a sink (incumbent fence install)" : message;
            case 1449 ->
                "the account that installed its fence or guarded the table is gone: install it again, incumbent fence"
                        + " install (" + message + ")";
            case 1045 -> "the server refuses the user or the password (" + message + ")";
            case 1049 -> "there is no such database (" + message + ")";
            case 1046 -> "its URL names no database";
            case SNAPSHOT_IS_OLDER -> "its row was changed by others meanwhile (" + message + "); ask again";
            case 1044, 1142, 1370, 1227 ->
                isOfAnother(message)
                        ? "the account that installed its fence or guarded the table has lost rights: install it again,"
                                + " incumbent fence install (" + message + ")"
                        : "this user may not (" + message + ")";
            case READ_ONLY, 1792, 1836 -> "the server is read-only, as a replica is";
            default -> message;
        };
    }

    /** Procedures run with the rights of another user than ours. */
    private boolean isOfAnother(String message) {
        Matcher user = USER.matcher(message);
        String ours = uri.properties().getProperty("user");
        return ours != null && user.find() && !user.group(1).equals(ours);
    }
}
