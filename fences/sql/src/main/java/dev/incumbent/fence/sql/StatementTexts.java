package dev.incumbent.fence.sql;

import java.lang.reflect.Method;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The texts that one statement executes: the one that it was prepared from, those that it is given, and those of its batch. */
final class StatementTexts {
    private final Admission admission;
    private final Optional<SqlText> prepared;
    private SqlText.Effect batch = SqlText.Effect.STAYS;

    StatementTexts(Admission admission, @Nullable Object[] prepared) throws SQLException {
        this.admission = admission;
        this.prepared = text(prepared);
    }

    /** What the first argument says, where it is text; fails where that cannot be fenced. */
    private Optional<SqlText> text(@Nullable Object @Nullable [] arguments) throws SQLException {
        return arguments != null && arguments.length > 0 && arguments[0] instanceof String sql
                ? Optional.of(admission.fenceable(sql))
                : Optional.empty();
    }

    /** The effect of what is executed with these arguments; fails where that cannot be fenced. */
    SqlText.Effect executing(@Nullable Object @Nullable [] arguments, boolean inAutocommit) throws SQLException {
        Optional<SqlText> executed = text(arguments).or(() -> prepared);
        if (inAutocommit
                && executed.stream().flatMap(text -> text.statements().stream()).anyMatch(SqlText::begins)) {
            throw new SQLException(
                    "in autocommit each statement of a fenced connection is a transaction of its own: begin one with"
                            + " setAutoCommit(false), and not by text",
                    "0A000");
        }
        SqlText.Effect effect = executed.map(SqlText::effect).orElse(batch);
        batch = SqlText.Effect.STAYS;
        return effect;
    }

    /** The statement is called, but not executed. */
    void learn(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        if (method.getName().equals("clearBatch")) {
            batch = SqlText.Effect.STAYS;
        } else if (method.getName().equals("addBatch")) {
            Optional<SqlText> added = text(arguments).or(() -> prepared);
            if (added.isPresent()) {
                admission.refuseInBatch(added.get());
                batch = batch.and(added.get().effect());
            }
        }
    }
}
