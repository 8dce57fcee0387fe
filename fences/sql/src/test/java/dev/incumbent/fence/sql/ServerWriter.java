package dev.incumbent.fence.sql;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** One transaction of this process, on a connection of its own. */
final class ServerWriter implements Writer {
    private final Connection connection;
    private final Fence fence;

    ServerWriter(Database database, int isolation) {
        try {
            connection = database.connect();
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(false);
            fence = JdbcFence.over(connection);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void admit(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
        fence.admit(election, token);
    }

    @Override
    public void admitText(ElectionName election, String token) throws FenceException {
        try (PreparedStatement admission = connection.prepareStatement("CALL incumbent_admit(?, ?)")) {
            admission.setString(1, election.value());
            admission.setString(2, token);
            admission.execute();
        } catch (SQLException refused) {
            throw new NotAdmittedException(String.valueOf(refused.getMessage()), refused);
        }
    }

    @Override
    public void read() throws SQLException {
        run("SELECT count(*) FROM ledger");
    }

    @Override
    public void write(String line) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO ledger(line) VALUES (?)")) {
            insert.setString(1, line);
            insert.executeUpdate();
        }
    }

    void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void commit() throws SQLException {
        connection.commit();
        connection.close();
    }

    @Override
    public void rollBack() {
        try {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.close();
            }
        } catch (SQLException itWasCutOff) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
