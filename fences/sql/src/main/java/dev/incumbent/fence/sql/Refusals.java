package dev.incumbent.fence.sql;

import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;

/** What an admission's failure says, by its SQLSTATE: the codes are the same on every server. */
record Refusals(ElectionName election, FencingToken token) {
    private static final String MARK = "the mark is ";

    void requireTransaction(Connection connection) throws SQLException, NoTransactionException {
        if (connection.getAutoCommit()) {
            throw new NoTransactionException(
                    "IF003 no transaction: the connection is in autocommit, so the admission of " + election
                            + " would end before the write begins");
        }
    }

    /** Always throws. */
    NotAdmittedException told(SQLException failure)
            throws StaleTokenException, NotRaisedException, NoTransactionException {
        String message = String.valueOf(failure.getMessage());
        switch (String.valueOf(failure.getSQLState())) {
            case "IF001" -> throw new StaleTokenException(election, token, mark(message));
            case "IF002" -> throw new NotRaisedException(election, token, mark(message));
            case "IF003" -> throw new NoTransactionException("IF003 " + message);
            default -> {
                return new NotAdmittedException(
                        "token " + token + " of " + election + " was not admitted: " + meaning(failure, message),
                        failure);
            }
        }
    }

    private static String meaning(SQLException failure, String message) {
        return failure.getErrorCode() == MariaDbServer.SNAPSHOT_IS_OLDER
                ? "its transaction had read an older state and is rolled back (" + message
                        + "); begin again, with the admission first"
                : message;
    }

    private static String mark(String message) {
        int told = message.indexOf(MARK);
        return told < 0 ? "another" : message.substring(told + MARK.length()).replaceAll("\\R(.|\\R)*", "");
    }
}
