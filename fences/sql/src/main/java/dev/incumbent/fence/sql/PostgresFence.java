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
     * that the driver has the server prepare it; a name has no character that would need quoting.
     */
    static String admission(ElectionName election, FencingToken token) {
        String name = "'" + election + "'";
        return "SELECT pg_catalog.pg_advisory_xact_lock_shared(1229866573, pg_catalog.hashtext(" + name + "));"
                + " SELECT CASE WHEN f.token = " + token
                + " AND pg_catalog.current_setting('transaction_isolation') = 'read committed' THEN "
                + atMost("idle_in_transaction_session_timeout", "f.idle_ms")
                + " || " + atMost("client_connection_check_interval", "f.check_ms")
                + " || pg_catalog.set_config('incumbent.x' || pg_catalog.md5(" + name + "), '" + token + "', true)"
                + " ELSE incumbent.admit(" + name + "::text, " + token + "::bigint)::text END"
                + " FROM (VALUES (0)) one LEFT JOIN incumbent.fence f ON f.election = " + name + ";";
    }

    /**
     * Text that sets a limit for this transaction, unless the session has a shorter one. Left idle, or busy for a client that is gone, the transaction would
     * block every raise.
     */
    private static String atMost(String setting, String millis) {
        String current = "pg_catalog.current_setting('" + setting + "', true)";
        return "CASE WHEN " + current + " = '0' AND " + millis + " > 0 OR " + current + "::interval > " + millis
                + " * interval '1 ms' THEN pg_catalog.set_config('" + setting + "', " + millis
                + " || 'ms', true) ELSE '' END";
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
