package dev.incumbent.fence.sql;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Transactions of MySQL that {@code XA PREPARE} has prepared. They have no connection, and the server does not tell which of them holds a lock; so all are named, or the only one.
 */
final class PreparedTransactions {
    private static final int MOST_NAMED = 3;

    /** XAER_RMERR: this user may not ask. */
    private static final int MAY_NOT_ASK = 1401;

    private static final int FORMAT_BY_DEFAULT = 1;
    private static final Pattern PLAIN = Pattern.compile("[ -&(-\\[\\]-~]*");
    private static final String UNTIL = ", until it is committed or rolled back";

    private PreparedTransactions() {}

    /** What a raise waits for that waits for a transaction without a connection. */
    static String blocker(Connection connection) throws SQLException {
        try {
            return blocker(names(connection));
        } catch (SQLException failure) {
            if (failure.getErrorCode() != MAY_NOT_ASK) {
                throw failure;
            }
            return "a prepared transaction" + UNTIL
                    + "; this user may not see which: an administrator asks XA RECOVER, and ends it by XA COMMIT or XA"
                    + " ROLLBACK";
        }
    }

    private static String blocker(List<String> names) {
        if (names.isEmpty()) {
            return "a transaction that has no connection, as one that is being rolled back";
        }
        if (names.size() == 1) {
            return "the prepared transaction " + names.get(0) + UNTIL;
        }
        int more = names.size() - MOST_NAMED;
        return "one of the prepared transactions "
                + String.join("; ", names.subList(0, Math.min(MOST_NAMED, names.size())))
                + (more > 0 ? " and " + more + " more" : "") + UNTIL;
    }

    /** As {@code XA COMMIT} takes them. */
    private static List<String> names(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("XA RECOVER CONVERT XID")) {
            while (row.next()) {
                String hex = row.getString("data").substring("0x".length());
                int globalEnd = 2 * row.getInt("gtrid_length");
                names.add(name(hex.substring(0, globalEnd), hex.substring(globalEnd), row.getInt("formatID")));
            }
        }
        return names;
    }

    private static String name(String global, String branch, int format) {
        String first = literal(global);
        return branch.isEmpty() && format == FORMAT_BY_DEFAULT ? first : first + "," + literal(branch) + "," + format;
    }

    private static String literal(String hex) {
        String text = new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
        return PLAIN.matcher(text).matches() ? "'" + text + "'" : "X'" + hex + "'";
    }
}
