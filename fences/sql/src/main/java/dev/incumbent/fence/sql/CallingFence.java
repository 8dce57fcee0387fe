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

/** Admits transactions of one connection by calling the procedure that any other client calls: election, then token. */
final class CallingFence implements Fence {
    private final Connection connection;
    private final String call;

    CallingFence(Connection connection, String call) {
        this.connection = connection;
        this.call = call;
    }

    @Override
    public void admit(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
        var refusals = new Refusals(election, token);
        try {
            refusals.requireTransaction(connection);
            try (PreparedStatement admission = connection.prepareStatement(call)) {
                admission.setString(1, election.value());
                admission.setString(2, token.toString());
                admission.execute();
            }
        } catch (SQLException failure) {
            throw refusals.told(failure);
        }
    }
}
