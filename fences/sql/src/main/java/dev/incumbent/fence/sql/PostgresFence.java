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
    /**
     * Text that sets the limit for sending to a client that takes nothing, as {@link #atMost} does. This setting is told in milliseconds and without a unit; on a Unix
     * socket it is always 0, and setting it does nothing. A server on a system without such a limit would write a line into its log each time.
     */
    private static final String SENDS_AT_MOST =
            "CASE WHEN pg_catalog.int4gt(pg_catalog.strpos(pg_catalog.version(), 'linux'), 0)"
                    + " AND (pg_catalog.int4lt(pg_catalog.current_setting('tcp_user_timeout')::integer, 1)"
                    + " OR pg_catalog.int4gt(pg_catalog.current_setting('tcp_user_timeout')::integer, f.idle_ms))"
                    + " THEN pg_catalog.set_config('tcp_user_timeout', pg_catalog.concat(f.idle_ms, 'ms'), true)"
                    + " ELSE '' END";

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
                + ", " + SENDS_AT_MOST
                + ", pg_catalog.set_config(pg_catalog.concat('incumbent.x', pg_catalog.md5(" + name + ")), '" + token
                + "', true)) ELSE incumbent.admit(" + name + ", " + token + ")::pg_catalog.text END"
                + " FROM (VALUES (0)) one LEFT JOIN incumbent.fence f ON f.election OPERATOR(pg_catalog.=) " + name
                + ";";
    }

    /**
     * Text that sets a limit for this transaction, unless the session has a shorter one. Left idle, or busy for a client that is gone, the transaction would
     * block every raise.
     */
    private static String atMost(String setting, String millis) {
        String current = "pg_catalog.current_setting('" + setting + "', true)";
        return "CASE WHEN pg_catalog.texteq(" + current + ", '0') AND pg_catalog.int4gt(" + millis + ", 0)"
                + " OR pg_catalog.interval_gt(" + current + "::interval, pg_catalog.interval_mul(interval '1 ms', "
                + millis + ")) THEN pg_catalog.set_config('" + setting + "', pg_catalog.concat(" + millis
                + ", 'ms'), true) ELSE '' END";
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
