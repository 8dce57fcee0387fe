package dev.incumbent.fence.jdbc;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the transaction under way on a connection is admitted, and its being admitted where it is not. Used by one thread at a time. */
final class Admission {
    /** Statements that leave the transaction under way as it is. After any other, which may have ended it, the next one is admitted again. */
    private static final Set<String> STAYS =
            Set.of("select", "insert", "update", "delete", "replace", "merge", "with", "values", "show", "explain");

    /** Blanks, comments and brackets before it are none of it. */
    private static final Pattern FIRST_WORD = Pattern.compile("(?:\\s|\\(|--.*\\R|/\\*(?s:.*?)\\*/)*+([A-Za-z]*)");

    private final Connection connection;
    private final ElectionName election;
    private final FencingToken token;
    private final Fence fence;
    private final Optional<String> inOneRoundTrip;
    private boolean admitted;

    Admission(Connection connection, ElectionName election, FencingToken token) throws SQLException {
        Dialect dialect = JdbcFence.dialect(connection);
        this.connection = connection;
        this.election = election;
        this.token = token;
        this.fence = dialect.fence(connection);
        this.inOneRoundTrip = dialect.admission(election, token);
    }

    /** Text that admits where it stands before a statement, and answers one result for each of its semicolons; empty where the server takes one statement a round trip. */
    Optional<String> inOneRoundTrip() {
        return inOneRoundTrip;
    }

    boolean isDue() throws SQLException {
        return !admitted && !connection.getAutoCommit();
    }

    void admit() throws SQLException {
        if (isDue()) {
            try {
                fence.admit(election, token);
                admitted = true;
            } catch (FenceException refusal) {
                throw told(refusal);
            }
        }
    }

    /** The transaction is over, or may be. */
    void ended() {
        admitted = false;
    }

    /** A statement was executed within it, which left it under way, or may have ended it. */
    void executed(boolean staysWithin) {
        admitted = staysWithin;
    }

    static boolean staysWithin(String sql) {
        return STAYS.contains(firstWord(sql));
    }

    /** A batch of text has no first word that is known, and counts as what may have ended its transaction. */
    static String firstWord(String sql) {
        Matcher found = FIRST_WORD.matcher(sql);
        return found.lookingAt() ? found.group(1).toLowerCase(Locale.ROOT) : "";
    }

    /** What failed together with the admission: a refusal by the fence says so, anything else is the server's own. */
    SQLException told(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        if (state.equals("40001")) {
            return new SQLTransientException(failure.getMessage(), state, failure);
        }
        if (!state.startsWith("IF00")) {
            return failure;
        }
        try {
            return told(new Refusals(election, token).told(failure));
        } catch (FenceException refusal) {
            return told(refusal);
        }
    }

    private static SQLException told(FenceException refusal) {
        if (refusal instanceof NotAdmittedException) {
            return new SQLTransientException(refusal.getMessage(), "40001", refusal);
        }
        String state = refusal instanceof StaleTokenException
                ? "IF001"
                : refusal instanceof NotRaisedException ? "IF002" : "IF003";
        return new SQLException(refusal.getMessage(), state, refusal);
    }

    @Override
    public String toString() {
        return "fenced for token " + token + " of " + election;
    }
}
