package dev.incumbent.fence.jdbc;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Admits transactions of one connection to PostgreSQL.
 *
 * <p>Lock and mark are two plain statements in one round trip, which costs the server about half of what the function costs. They only ever accept: what they
 * do not accept, and any transaction above READ COMMITTED, is for {@code incumbent_admit} to decide, whose refusal also makes the server refuse the rest of the
 * transaction.
 */
final class PostgresFence implements Fence {
    /** What {@code incumbent_admit} does, without its refusals. The second statement has a snapshot of its own, taken when the lock is held. */
    private static final String ADMIT =
            "SELECT pg_catalog.pg_advisory_xact_lock_shared(1229866573, pg_catalog.hashtext(?));"
                    + " SELECT f.token, pg_catalog.current_setting('transaction_isolation') = 'read committed',"
                    + " pg_catalog.set_config('idle_in_transaction_session_timeout', CASE"
                    + " WHEN pg_catalog.current_setting('idle_in_transaction_session_timeout')::interval"
                    + " BETWEEN interval '1 ms' AND interval '15 s'"
                    + " THEN pg_catalog.current_setting('idle_in_transaction_session_timeout') ELSE '15s' END, true),"
                    + " pg_catalog.set_config('incumbent.x' || pg_catalog.md5(f.election), f.token::text, true)"
                    + " FROM public.incumbent_fence f WHERE f.election = ? AND f.token = ?";

    private final Connection connection;

    PostgresFence(Connection connection) {
        this.connection = connection;
    }

    @Override
    public void admit(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
        var refusals = new Refusals(election, token);
        try {
            refusals.requireTransaction(connection);
            if (!isAccepted(election, token)) {
                decide(election, token);
            }
        } catch (SQLException failure) {
            throw refusals.told(failure);
        }
    }

    private boolean isAccepted(ElectionName election, FencingToken token) throws SQLException {
        try (PreparedStatement admission = connection.prepareStatement(ADMIT)) {
            admission.setString(1, election.value());
            admission.setString(2, election.value());
            admission.setLong(3, token.value());
            admission.execute();
            admission.getMoreResults();
            try (ResultSet row = admission.getResultSet()) {
                return row.next() && row.getBoolean(2);
            }
        }
    }

    private void decide(ElectionName election, FencingToken token) throws SQLException {
        try (PreparedStatement admission =
                connection.prepareStatement("SELECT public.incumbent_admit(?::text, ?::bigint)")) {
            admission.setString(1, election.value());
            admission.setLong(2, token.value());
            admission.execute();
        }
    }
}
