package dev.incumbent.fence.sql;

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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the transaction under way on a connection is admitted, and its being admitted where it is not. Used by one thread at a time.
 *
 * <p>An admission is believed only as long as nothing can have ended its transaction. A server may roll one back, or commit it, and go on with the next one in
 * the same call: so after any failure, and after what may end a transaction, the next statement is admitted again, and so is a commit.
 */
final class Admission {
    /** PostgreSQL refuses whatever follows a failure, until the rollback, and makes one of a commit. */
    private static final String ABORTED = "25P02";

    private final Connection connection;
    private final ElectionName election;
    private final FencingToken token;
    private final Dialect dialect;
    private final Fence fence;
    private final Optional<String> inOneRoundTrip;
    private final Optional<CommitCheck> check;
    private final Fenceable fenceable;
    private State state = State.NONE;

    /** One call of the server. */
    interface Execution {
        @Nullable
        Object run() throws Throwable;
    }

    private enum State {
        /** Nothing was executed in this transaction. */
        NONE,
        ADMITTED,
        /** The admission may have ended with its transaction, and what came after it may be uncommitted. */
        DOUBTFUL
    }

    Admission(Connection connection, ElectionName election, FencingToken token) throws SQLException {
        this.dialect = JdbcFence.dialect(connection);
        this.connection = connection;
        this.election = election;
        this.token = token;
        this.fence = dialect.fence(connection);
        this.check = fence instanceof CommitCheck it ? Optional.of(it) : Optional.empty();
        this.inOneRoundTrip = dialect.admission(election, token);
        this.fenceable = new Fenceable(dialect, "token " + token + " of " + election);
    }

    /** Text that admits where it stands before a statement, and answers one result for each of its semicolons; empty where the server takes one statement a round trip. */
    Optional<String> inOneRoundTrip() {
        return inOneRoundTrip;
    }

    /** Reads what is to be executed, and refuses what cannot be fenced. */
    SqlText fenceable(String sql) throws SQLException {
        return fenceable.text(sql);
    }

    /** Refuses what would end the admission before the rest of its batch. */
    void refuseInBatch(SqlText text) throws SQLException {
        fenceable.refuseInBatch(text);
    }

    boolean isDue() throws SQLException {
        return state != State.ADMITTED && !connection.getAutoCommit();
    }

    void admit() throws SQLException {
        if (isDue()) {
            try {
                fence.admit(election, token);
                state = State.ADMITTED;
            } catch (FenceException refusal) {
                throw told(refusal);
            }
        }
    }

    /**
     * Before a commit: it is admitted again where the admission may have ended, for what would be committed may have come after it. Fails where a function ended
     * the admitted transaction unseen: what is uncommitted then is rolled back. Fails, too, where the commit would count for nothing.
     */
    void confirm() throws SQLException {
        if (state == State.ADMITTED && !dialect.isStillAdmitted(connection, election, token)) {
            rollBack();
            throw fenceable.ended("a function that a query called");
        }
        if (state == State.DOUBTFUL) {
            try {
                admit();
            } catch (SQLException refusal) {
                if (!ABORTED.equals(refusal.getSQLState())) {
                    throw refusal;
                }
            }
        }
        if (state == State.ADMITTED && check.isPresent()) {
            check.get().beforeCommit();
        }
    }

    /** Executes a text, whose effect on an admitted transaction is this, and answers what that answers. */
    @Nullable
    Object executing(SqlText.Effect effect, Execution execution) throws Throwable {
        if (effect != SqlText.Effect.STAYS) {
            confirm();
        }
        Object answer = effect == SqlText.Effect.CALLS ? fenceable.called(connection, execution) : execution.run();
        if (effect == SqlText.Effect.ENDS) {
            committed();
        } else {
            executed(effect);
        }
        return answer;
    }

    void executed(SqlText.Effect effect) {
        state = switch (effect) {
            case STAYS -> State.ADMITTED;
            case ENDS -> State.NONE;
            case MAY_END -> State.DOUBTFUL;
            case CALLS -> fenceable.seesCalls() ? State.ADMITTED : State.DOUBTFUL;
        };
    }

    void rollBack() throws SQLException {
        dialect.ensureTransaction(connection);
        connection.rollback();
        ended();
    }

    /** The transaction is over. */
    void ended() {
        state = State.NONE;
        check.ifPresent(CommitCheck::ended);
    }

    /** The transaction is over, by a commit that did not fail. Fails where it is uncertain all the same. */
    void committed() throws SQLException {
        boolean wasAdmitted = state != State.NONE;
        ended();
        if (wasAdmitted && check.isPresent()) {
            check.get().afterCommit();
        }
    }

    /** A call failed, or its effect on the transaction is not known. */
    void doubted() {
        if (state == State.ADMITTED) {
            state = State.DOUBTFUL;
        }
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
            return refusal.getCause() instanceof SQLException server
                            && (ABORTED.equals(server.getSQLState()) || server instanceof LostFilesException)
                    ? server
                    : new SQLTransientException(refusal.getMessage(), "40001", refusal);
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
