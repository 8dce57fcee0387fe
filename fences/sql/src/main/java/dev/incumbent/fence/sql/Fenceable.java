package dev.incumbent.fence.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a database's transactions can be admitted for, and what is refused, because the admission would end before it is executed. Thread-safe. */
final class Fenceable {
    private static final String NOT_SUPPORTED = "0A000";

    private final Dialect dialect;
    private final String token;
    private final Optional<Witness> witness;

    /** @param token whose admission, in words */
    Fenceable(Dialect dialect, String token) {
        this.dialect = dialect;
        this.token = token;
        this.witness = dialect.witness();
    }

    /** Reads a text; fails where it cannot be fenced. */
    SqlText text(String sql) throws SQLException {
        SqlText text = SqlText.of(sql, dialect.lexis());
        if (!text.isCertain() || !text.isPlain()) {
            throw refused("text that " + dialect.product() + " reads in one way or another (an executable comment, or"
                    + " a backslash in a quoted string) is refused on a fenced connection, for it may hide what ends the"
                    + " admission of " + token + ": use parameters, and send each statement by itself");
        }
        for (int i = 0; i < text.statements().size(); i++) {
            refuse(text.statements().get(i), i == text.statements().size() - 1, text.isOneStatement());
        }
        return text;
    }

    private void refuse(List<String> statement, boolean isLast, boolean isAlone) throws SQLException {
        String name = name(statement);
        if (dialect.mayCommitFirst(statement)) {
            throw refused(name + " is refused on a fenced connection: " + dialect.product()
                    + " may commit before it executes that, and with this commit the admission of " + token
                    + " would end; execute it on a plain connection while the election is frozen");
        }
        if (SqlText.switchesAutocommit(statement)) {
            throw refused(
                    "autocommit is switched by setAutoCommit, and not by text, on a fenced connection: what follows"
                            + " would be committed without the admission of " + token);
        }
        if (mayEnd(statement) && !isLast) {
            throw refused(name + " before other statements of the same text is refused on a fenced connection: it "
                    + (SqlText.ends(statement) ? "ends" : "may end") + " the admission of " + token
                    + " before they are executed; send it by itself");
        }
        if (witness.isPresent() && SqlText.first(statement).equals("call") && !isAlone) {
            throw refused(
                    name + " among other statements of one text is refused on a fenced connection: a procedure may"
                            + " end the transaction, and with it the admission of " + token + "; send it by itself");
        }
    }

    private boolean mayEnd(List<String> statement) {
        return SqlText.ends(statement) || dialect.mayEndBy(statement);
    }

    /** Fails where the rest of a batch would be executed after the admission's end; a prepared text is the rest of its own batch. */
    void refuseInBatch(SqlText text) throws SQLException {
        for (List<String> statement : text.statements()) {
            if (mayEnd(statement)) {
                throw refused(name(statement) + ", which may end a transaction, is refused in a batch on a fenced"
                        + " connection: the admission of " + token
                        + " would end before the rest of the batch; execute it"
                        + " by itself");
            }
        }
    }

    private static String name(List<String> statement) {
        return statement.isEmpty()
                ? "a statement without a word"
                : SqlText.first(statement).toUpperCase(Locale.ROOT);
    }

    boolean seesCalls() {
        return witness.isPresent();
    }

    /** Calls a procedure, and fails if it ended the transaction: what is uncommitted then is rolled back. */
    @Nullable
    Object called(Connection connection, Admission.Execution call) throws Throwable {
        if (witness.isEmpty()) {
            return call.run();
        }
        Witness.Mark before = witness.get().mark(connection);
        Object answer = call.run();
        if (!before.isThere()) {
            connection.rollback();
            throw ended("CALL");
        }
        return answer;
    }

    /** That it ended its transaction on its way. */
    SQLException ended(String what) {
        return new SQLException(
                what + " ended its transaction, and with it the admission of " + token + ", so what was done afterwards"
                        + " was not fenced: on a fenced connection neither a procedure nor a function may commit, or"
                        + " execute what commits by itself, such as TRUNCATE or ALTER",
                "IF003");
    }

    private static SQLException refused(String sentence) {
        return new SQLException(sentence, NOT_SUPPORTED);
    }
}
