package dev.incumbent.fence.sql;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The procedures of a fence that is there already. They run with the rights of the account that made them, and fail with 1449 once that account is dropped, with 1142 or 1370 once it
 * has lost its rights. MySQL replaces no procedure: it must be dropped first, and MySQL then forgets who may execute it.
 */
final class InstalledProcedures {
    /** Calls that each procedure refuses, and that change nothing. The server looks for the account before it runs any of it. */
    private static final Map<String, String> REFUSED_CALLS = Map.of(
            "incumbent_admit_first", "0, 0",
            "incumbent_admit", "0, 0",
            "incumbent_raise", "0, 0, 0",
            "incumbent_guard", "0");

    private static final Pattern HEADER = Pattern.compile("create procedure if not exists (\\w+)\\(");
    private static final String SECURITY = "  sql security definer ";

    private static final int NO_SUCH_ACCOUNT = 1449;
    private static final int MAY_NOT_EXECUTE = 1370;
    private static final Set<Integer> MAY_NOT_USE_TABLE = Set.of(1044, 1142, 1143);
    private static final int WAIT_IS_OVER = 1205;
    private static final int MOST_TRIES = 12;

    private final Connection connection;
    private final boolean isMySql;
    private final List<String> undone;
    private final Map<String, Installed> installed;
    private final String installer;

    /** {@code undone} is told, in words, what could not be put right. */
    InstalledProcedures(Connection connection, boolean isMySql, List<String> undone) throws SQLException {
        this.connection = connection;
        this.isMySql = isMySql;
        this.undone = undone;
        this.installed = installed(connection);
        try (PreparedStatement query = connection.prepareStatement("SELECT current_user()")) {
            this.installer = Server.words(query).orElse("");
        }
    }

    /** A procedure that is there: whose rights it has, and what it was made from. */
    private record Installed(String definer, String comment) {}

    private static Map<String, Installed> installed(Connection connection) throws SQLException {
        Map<String, Installed> installed = new LinkedHashMap<>();
        try (PreparedStatement query = connection.prepareStatement(
                        "SELECT routine_name, definer, routine_comment FROM information_schema.routines"
                                + " WHERE routine_schema = database() AND routine_type = 'PROCEDURE'"
                                + " AND routine_name LIKE 'incumbent\\_%'");
                ResultSet row = query.executeQuery()) {
            while (row.next()) {
                installed.put(row.getString(1), new Installed(row.getString(2), row.getString(3)));
            }
        }
        return installed;
    }

    /** The accounts that made a procedure and are no more, or may no longer do what it does. */
    Set<String> goneDefiners() throws SQLException {
        Set<String> gone = new LinkedHashSet<>();
        for (Map.Entry<String, Installed> one : installed.entrySet()) {
            String arguments = REFUSED_CALLS.get(one.getKey());
            if (arguments != null && isOrphan(one.getKey(), arguments, one.getValue().definer)) {
                gone.add(one.getValue().definer);
            }
        }
        connection.rollback();
        return gone;
    }

    /** On MariaDB, whoever installs makes all of them again in any case. */
    private boolean isOrphan(String name, String arguments, String definer) throws SQLException {
        try {
            Installation.execute(connection, "CALL " + name + "(" + arguments + ")");
            return false;
        } catch (SQLException refused) {
            if (isOfDefiner(refused, definer)) {
                return true;
            }
            if (isMySql && refused.getErrorCode() == MAY_NOT_EXECUTE) {
                throw new SQLException(
                        "this user may not execute procedure " + name + " of " + definer
                                + ", and so cannot tell whether that account is still there (" + refused.getMessage()
                                + ")",
                        refused.getSQLState(),
                        refused);
            }
            return refused.getErrorCode() == NO_SUCH_ACCOUNT;
        }
    }

    /** Whoever calls a procedure needs no right but to execute it; so does the account that made it. */
    private boolean isOfDefiner(SQLException refused, String definer) {
        int host = definer.lastIndexOf('@');
        if (definer.equals(installer) || host < 0) {
            return false;
        }
        String named = "'" + definer.substring(0, host) + "'@'" + definer.substring(host + 1) + "'";
        return MAY_NOT_USE_TABLE.contains(refused.getErrorCode())
                || (refused.getErrorCode() == MAY_NOT_EXECUTE
                        && String.valueOf(refused.getMessage()).contains(named));
    }

    /** Is it one that makes a procedure on MySQL? */
    static boolean isOnMySql(String statement) {
        return HEADER.matcher(statement).find();
    }

    /** Makes a procedure of MySQL if it is missing, and again if it was made from another text or its account is gone. */
    void renew(String statement, Set<String> gone) throws SQLException {
        Matcher header = HEADER.matcher(statement);
        if (!header.find()) {
            throw new IllegalArgumentException(statement);
        }
        String name = header.group(1);
        String mark = mark(statement);
        String create = statement.replaceFirst(SECURITY, "  comment '" + mark + "' sql security definer ");
        Installed there = installed.get(name);
        if (there == null) {
            Installation.execute(connection, create);
        } else if (gone.contains(there.definer)) {
            replaceOrphan(name, create);
        } else if (!there.comment.equals(mark)) {
            replace(name, create);
        }
    }

    /** Tells one text from another, its comments aside. */
    private static String mark(String statement) {
        CRC32 sum = new CRC32();
        sum.update(statement.replaceAll("(?m)^ *--.*$", "").getBytes(StandardCharsets.UTF_8));
        return "incumbent " + Long.toHexString(sum.getValue());
    }

    /** It works, so it is left as it is if this user may not give back the rights that MySQL forgets. To give them twice does no harm. */
    private void replace(String name, String create) throws SQLException {
        List<String> rights;
        try {
            rights = rights(name);
            executeAll(rights);
        } catch (SQLException mayNot) {
            throw new SQLException(
                    "procedure " + name + " is of another version, and to replace it this user must be able to give"
                            + " back the rights on it: it needs SELECT on mysql.procs_priv and GRANT OPTION ("
                            + mayNot.getMessage() + ")",
                    mayNot.getSQLState(),
                    mayNot);
        }
        makeAgain(name, create);
        executeAll(rights);
    }

    /** It fails whoever calls it, so there is nothing to keep working. */
    private void replaceOrphan(String name, String create) throws SQLException {
        List<String> rights = new ArrayList<>();
        try {
            rights.addAll(rights(name));
        } catch (SQLException mayNotSee) {
            undone.add("MySQL forgot who may execute " + name + ", and this user may not see who that was ("
                    + mayNotSee.getMessage() + ")");
        }
        makeAgain(name, create);
        for (String right : rights) {
            try {
                Installation.execute(connection, right);
            } catch (SQLException mayNotGive) {
                undone.add(right + " (" + mayNotGive.getMessage() + ")");
            }
        }
    }

    /** Whoever called it between the two statements failed, and may hold its name until its transaction is over. */
    private void makeAgain(String name, String create) throws SQLException {
        Installation.execute(connection, "DROP PROCEDURE IF EXISTS " + name);
        for (int tries = 1; ; tries++) {
            try {
                Installation.execute(connection, create);
                return;
            } catch (SQLException failure) {
                if (failure.getErrorCode() != WAIT_IS_OVER || tries == MOST_TRIES) {
                    throw failure;
                }
            }
        }
    }

    private void executeAll(List<String> statements) throws SQLException {
        for (String statement : statements) {
            Installation.execute(connection, statement);
        }
    }

    /** Statements that give the rights on a procedure again. Whoever makes it has its own. */
    private List<String> rights(String name) throws SQLException {
        List<String> rights = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT user, host, proc_priv FROM mysql.procs_priv WHERE db = database() AND routine_name = ?"
                        + " AND routine_type = 'PROCEDURE' AND concat(user, '@', host) <> current_user()")) {
            query.setString(1, name);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    rights.add(grant(name, row.getString(1), row.getString(2), row.getString(3)));
                }
            }
        }
        return rights;
    }

    /** What is given, in the words of the table: {@code Execute,Alter Routine,Grant}. */
    private static String grant(String name, String user, String host, String given) {
        List<String> words = new ArrayList<>(List.of(given.split(",")));
        boolean mayGive = words.remove("Grant");
        return "GRANT " + (words.isEmpty() ? "USAGE" : String.join(", ", words)) + " ON PROCEDURE " + name + " TO "
                + MariaDbInstaller.quoted(user) + "@" + MariaDbInstaller.quoted(host)
                + (mayGive ? " WITH GRANT OPTION" : "");
    }
}
