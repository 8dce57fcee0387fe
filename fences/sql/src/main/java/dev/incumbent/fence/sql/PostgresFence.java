package dev.incumbent.fence.sql;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Admits transactions of one connection to PostgreSQL.
 *
 * <p>Lock and mark are two plain statements in one round trip, which costs the server about half of what the function costs. They only ever accept: what they
 * do not accept, and any transaction above READ COMMITTED, they leave to {@code incumbent.admit}, whose refusal makes the server refuse the rest of the
 * transaction, and whatever came in the same round trip.
 */
final class PostgresFence implements Fence {
    private final Connection connection;

    PostgresFence(Connection connection) {
        this.connection = connection;
    }

    /**
     * What {@code incumbent.admit} does. The second statement has a snapshot of its own, taken when the lock is held. The text is the same throughout a term, so
     * that the driver has the server prepare it; a name has no character that would need quoting. Each function and operator is named with its schema: whoever may
     * create in a schema of the search path could plant one that PostgreSQL prefers.
     */
    static String admission(ElectionName election, FencingToken token) {
        String name = "'" + election + "'";
        return "SELECT pg_catalog.pg_advisory_xact_lock_shared(1229866573, pg_catalog.hashtext(" + name + "));"
                + " SELECT CASE WHEN pg_catalog.int8eq(f.token, " + token + ")"
                + " AND pg_catalog.texteq(pg_catalog.current_setting('transaction_isolation'), 'read committed')"
                + " THEN pg_catalog.concat("
                + atMost("idle_in_transaction_session_timeout", "f.idle_ms")
                + ", " + atMost("client_connection_check_interval", "f.check_ms")
                + ", " + sendsAtMost("f.send_ms")
                + ", pg_catalog.set_config(pg_catalog.concat('incumbent.x', pg_catalog.md5(" + name + ")), '" + token
                + "', true)) ELSE incumbent.admit(" + name + ", " + token + ")::pg_catalog.text END"
                + " FROM (VALUES (0)) one LEFT JOIN incumbent.fence f ON f.election OPERATOR(pg_catalog.=) " + name
                + ";";
    }

    /**
     * Text that sets a limit for this transaction, unless the session has a shorter one. Left idle, busy for a client that is gone, or sending to one that stands
     * still, the transaction would block every raise.
     */
    private static String atMost(String setting, String millis) {
        String current = current(setting);
        return atMost(
                setting,
                millis,
                "pg_catalog.interval_gt(" + current + "::interval, pg_catalog.interval_mul(interval '1 ms', " + millis
                        + "))");
    }

    /**
     * The same for {@code tcp_user_timeout}, which PostgreSQL tells in milliseconds and without a unit. On a Unix socket it is always 0, and setting it does nothing.
     */
    private static String sendsAtMost(String millis) {
        String setting = "tcp_user_timeout";
        return atMost(setting, millis, "pg_catalog.int4gt(" + current(setting) + "::integer, " + millis + ")");
    }

    private static String atMost(String setting, String millis, String isLonger) {
        return "CASE WHEN pg_catalog.int4gt(" + millis + ", 0) AND (pg_catalog.texteq(" + current(setting)
                + ", '0') OR " + isLonger + ") THEN pg_catalog.set_config('" + setting + "', pg_catalog.concat("
                + millis + ", 'ms'), true) ELSE '' END";
    }

    private static String current(String setting) {
        return "pg_catalog.current_setting('" + setting + "', true)";
    }

    @Override
    public void admit(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
        var refusals = new Refusals(election, token);
        try {
            refusals.requireTransaction(connection);
            try (PreparedStatement admission = connection.prepareStatement(admission(election, token))) {
                admission.execute();
            }
        } catch (SQLException failure) {
            throw refusals.told(failure);
        }
    }
}
