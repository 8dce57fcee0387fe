package dev.incumbent.fence.sql;

import java.util.List;
import java.util.Set;

/**
 * Which statements MariaDB executes within the transaction under way. It commits by itself before each of a long list, which grows with its versions: so the
 * others are listed. {@code PREPARE} and {@code EXECUTE} are not among them, for they may execute anything.
 */
final class MariaDbWords {
    private static final Set<String> KEEP = Set.of(
            "select",
            "insert",
            "update",
            "delete",
            "replace",
            "with",
            "values",
            "show",
            "explain",
            "describe",
            "desc",
            "help",
            "call",
            "do",
            "use",
            "signal",
            "get",
            "commit",
            "rollback",
            "savepoint",
            "release");

    private static final Set<String> ANALYZED =
            Set.of("select", "insert", "update", "delete", "replace", "with", "format");

    /** {@code SET STATEMENT … FOR} is followed by any statement. */
    private static final Set<String> NOT_SET = Set.of("password", "default", "statement");

    private MariaDbWords() {}

    static boolean keepTheTransaction(List<String> words) {
        String second = words.size() > 1 ? words.get(1) : "";
        return switch (SqlText.first(words)) {
            case "analyze" -> ANALYZED.contains(second);
            case "set" -> !NOT_SET.contains(second);
            case "load" -> second.equals("data") || second.equals("xml");
            case "begin" -> words.size() == 1 || second.equals("work");
            case "start" -> second.equals("transaction");
            case "create", "drop" -> isTemporaryTable(String.join(" ", words.subList(1, words.size())));
            default -> KEEP.contains(SqlText.first(words));
        };
    }

    /** Also {@code CREATE OR REPLACE TEMPORARY TABLE}. */
    private static boolean isTemporaryTable(String rest) {
        return rest.matches("((or replace )?temporary table)( .*)?");
    }
}
