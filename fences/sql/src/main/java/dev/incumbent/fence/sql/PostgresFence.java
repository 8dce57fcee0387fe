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
 * do not accept, and any transaction above READ COMMITTED, they leave to {@code incumbent_admit}, whose refusal makes the server refuse the rest of the
 * transaction, and whatever came in the same round trip.
 */
final class PostgresFence implements Fence {
    /** Left idle it would block every raise. A shorter limit of the session's own stays. */
    private static final String IDLE = "pg_catalog.current_setting('idle_in_transaction_session_timeout')";

    private static final String BOUNDED = "pg_catalog.set_config('idle_in_transaction_session_timeout', '15s', true)";

    private final Connection connection;

    PostgresFence(Connection connection) {
        this.connection = connection;
    }

    /**
     * What {@code incumbent_admit} does. The second statement has a snapshot of its own, taken when the lock is held. The text is the same throughout a term, so
     * that the driver has the server prepare it; a name has no character that would need quoting.
     */
    static String admission(ElectionName election, FencingToken token) {
        String name = "'" + election + "'";
        return "SELECT pg_catalog.pg_advisory_xact_lock_shared(1229866573, pg_catalog.hashtext(" + name + "));"
                + " SELECT CASE WHEN (SELECT f.token FROM public.incumbent_fence f WHERE f.election = " + name + ") = "
                + token + " AND pg_catalog.current_setting('transaction_isolation') = 'read committed'"
                + " THEN CASE WHEN " + IDLE + " = '0' THEN " + BOUNDED + " WHEN " + IDLE
                + "::interval > interval '15 s' THEN "
                + BOUNDED + " ELSE " + IDLE + " END"
                + " || pg_catalog.set_config('incumbent.x' || pg_catalog.md5(" + name + "), '" + token + "', true)"
                + " ELSE public.incumbent_admit(" + name + "::text, " + token + "::bigint)::text END;";
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
