package dev.incumbent.fence.sql;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One transaction of a client that has nothing of ours but the statement that the documentation shows. */
final class PlainClientWriter implements Writer {
    private static final Pattern CODE = Pattern.compile("IF\\d{3}");

    private final Connection connection;
    private final String statement;

    /** @param statement with a place for the election and one for the token */
    PlainClientWriter(Database database, int isolation, String statement) {
        this.statement = statement;
        try {
            connection = database.connect();
            connection.setTransactionIsolation(isolation);
            connection.setAutoCommit(false);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void admit(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
        admit(connection, statement, election, token);
    }

    static void admit(Connection connection, String statement, ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
        try {
            Installation.execute(connection, statement.formatted(election, token));
        } catch (SQLException refused) {
            String message = String.valueOf(refused.getMessage());
            switch (codeOf(refused)) {
                case "IF001" -> throw new StaleTokenException(election, token, message);
                case "IF002" -> throw new NotRaisedException(election, token, message);
                case "IF003" -> throw new NoTransactionException(message);
                default -> throw new NotAdmittedException(message, refused);
            }
        }
    }

    /** SQLite has no states: there the message has the code. */
    static String codeOf(SQLException refused) {
        Matcher code = CODE.matcher(String.valueOf(refused.getMessage()));
        String state = refused.getSQLState();
        return state != null ? state : code.find() ? code.group() : "";
    }

    @Override
    public void admitText(ElectionName election, String token) throws FenceException {
        try {
            Installation.execute(connection, statement.formatted(election, "'" + token + "'"));
        } catch (SQLException refused) {
            throw new NotAdmittedException(String.valueOf(refused.getMessage()), refused);
        }
    }

    @Override
    public void read() throws SQLException {
        Installation.execute(connection, "SELECT count(*) FROM ledger");
    }

    @Override
    public void write(String line) throws SQLException {
        Installation.execute(connection, "INSERT INTO ledger(line) VALUES ('" + line + "')");
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
