package dev.incumbent.fence.sql;

import java.util.List;
import java.util.Set;

/**
 * The text of one or more statements, as far as a fence must understand it.
 *
 * @param statements the first words of each statement, in lower case
 * @param isExecutable does it have a comment that the server executes, which some versions do and others do not?
 * @param isCertain false where two settings of the server read it differently
 */
record SqlText(List<List<String>> statements, boolean isExecutable, boolean isCertain) {
    /** Statements that leave the transaction under way as it is. */
    private static final Set<String> STAYS =
            Set.of("select", "insert", "update", "delete", "replace", "merge", "with", "values", "show", "explain");

    /** Where a setting's name is looked for, all the words of a statement count. */
    static final String AUTOCOMMIT = "autocommit";

    private static final Set<String> ENDS = Set.of("commit", "end", "abort");

    /** What a text does to the transaction that it is executed in; of several the strongest counts. */
    enum Effect {
        /** It goes on. */
        STAYS,
        /** It is over. */
        ENDS,
        /** It may be over, and another one under way. */
        MAY_END,
        /** The same, by a procedure. */
        CALLS;

        Effect and(Effect other) {
            return compareTo(other) < 0 ? other : this;
        }
    }

    static SqlText of(String text, Lexis lexis) {
        SqlText read = new SqlReader(text, lexis, true).read();
        if (lexis != Lexis.MARIADB) {
            return read;
        }
        SqlText unescaped = text.indexOf('\\') < 0 ? read : new SqlReader(text, lexis, false).read();
        boolean mayHideMore = (read.isExecutable || unescaped.isExecutable) && text.indexOf(';') >= 0;
        return new SqlText(
                read.statements,
                read.isExecutable || unescaped.isExecutable,
                read.isCertain && !mayHideMore && read.isLike(unescaped));
    }

    /** Does it ask for the same? What the further words of a read or write are is of no matter. */
    private boolean isLike(SqlText other) {
        boolean isLike = statements.size() == other.statements.size();
        for (int i = 0; isLike && i < statements.size(); i++) {
            List<String> one = statements.get(i);
            isLike = STAYS.contains(first(one))
                    ? first(one).equals(first(other.statements.get(i)))
                    : one.equals(other.statements.get(i));
        }
        return isLike;
    }

    boolean isOneStatement() {
        return statements.size() == 1;
    }

    /** The first word of the first statement; empty where there is none. */
    String firstWord() {
        return statements.isEmpty() ? "" : first(statements.get(0));
    }

    static String first(List<String> statement) {
        return statement.isEmpty() ? "" : statement.get(0);
    }

    Effect effect() {
        if (!statements.isEmpty() && statements.stream().allMatch(one -> STAYS.contains(first(one)))) {
            return Effect.STAYS;
        }
        if (!statements.isEmpty() && ends(statements.get(statements.size() - 1))) {
            return Effect.ENDS;
        }
        return statements.stream().anyMatch(one -> first(one).equals("call")) ? Effect.CALLS : Effect.MAY_END;
    }

    /** Is what a comment may add to it of no matter? So it is behind the first word of one statement that stays within its transaction. */
    boolean isPlain() {
        return !isExecutable || (isOneStatement() && STAYS.contains(firstWord()));
    }

    /** Does that statement end its transaction? */
    static boolean ends(List<String> statement) {
        return switch (first(statement)) {
            case "rollback" -> !statement.contains("to");
            case "prepare" -> statement.size() > 1 && statement.get(1).equals("transaction");
            default -> ENDS.contains(first(statement));
        };
    }

    /** Does that statement turn autocommit on or off? */
    static boolean switchesAutocommit(List<String> statement) {
        return first(statement).equals("set") && statement.contains(AUTOCOMMIT);
    }

    /** Does that statement begin a transaction? */
    static boolean begins(List<String> statement) {
        return first(statement).equals("begin") || first(statement).equals("start");
    }
}
