package dev.incumbent.fence.sql;

import dev.incumbent.model.ElectionName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts the fence into a database of MariaDB or MySQL, and guards on its tables. Neither server does that in one transaction, so after each statement the fence refuses
 * too much rather than too little: a procedure that is absent for a moment fails whoever calls it, and a guard is made before the one that it replaces is dropped.
 */
final class MariaDbInstaller {
    /** Below the time that the connection waits for an answer: a statement that went on after that would drop what nobody then makes again. */
    private static final String LIMIT = "SET SESSION lock_wait_timeout = 5";

    private static final int MAY_NOT_SELECT = 1142;

    private static final Pattern GUARDS = Pattern.compile("CALL incumbent_guard\\('([^']*)'\\)");

    /** The end of a deputy's name. The longest name then has 64 characters, as a name may. */
    private static final String DEPUTY = "_new";

    private final Connection connection;
    private final boolean isMySql;

    MariaDbInstaller(Connection connection) throws SQLException {
        this.connection = connection;
        this.isMySql = MariaDbServer.isMySql(connection);
        Installation.execute(connection, LIMIT);
    }

    /** Makes what is missing, and again what another version made or what belongs to an account that is no more, or has lost its rights. */
    void install() throws SQLException {
        requireNobodyElse();
        List<String> undone = new ArrayList<>();
        var there = new InstalledProcedures(connection, isMySql, undone);
        Set<String> gone = there.goneDefiners();
        for (String statement : statements(isMySql ? "mysql.sql" : "mariadb.sql")) {
            if (InstalledProcedures.isOnMySql(statement)) {
                there.renew(statement, gone);
            } else {
                Installation.execute(connection, statement);
            }
        }
        List<String> strange = new ArrayList<>();
        for (Guard orphan : orphans(gone, strange)) {
            try {
                guard(orphan);
            } catch (SQLException mayNot) {
                undone.add("the guard " + orphan.name + " of table " + orphan.table + " (" + mayNot.getMessage() + ")");
            }
        }
        if (!undone.isEmpty()) {
            throw new SQLException(
                    "the account that had installed it is gone, or has lost rights, and not all could be made again: "
                            + String.join("; ", undone));
        }
        if (!strange.isEmpty()) {
            throw new SQLException(
                    "it is installed, but a trigger has a guard's name and does something else, and was left as it is: "
                            + String.join(", ", strange) + "; drop it if nobody needs it");
        }
    }

    /** What one installation drops and makes again, another one could drop meanwhile. Ends with the session. Comes first: what is read before it may be past. */
    private void requireNobodyElse() throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(
                "SELECT get_lock(sha2(concat('incumbent fence in ', database()), 224), 5)")) {
            if (!Server.words(lock).orElse("").equals("1")) {
                throw new SQLException("another installation is under way");
            }
        }
    }

    private static List<String> statements(String script) {
        List<String> statements = new ArrayList<>();
        for (String statement : Installation.script(script).split("(?m)^(delimiter )?//$", -1)) {
            if (!statement.replaceAll("(?m)^--.*$", "").isBlank()) {
                statements.add(statement);
            }
        }
        return statements;
    }

    /** Guards a table, in place of a guard of the same table for another election. False if there is no such table. */
    boolean guard(String table, ElectionName election) throws SQLException {
        requireNobodyElse();
        if (!isTable(table)) {
            return false;
        }
        for (String event : List.of("insert", "update", "delete")) {
            guard(new Guard(trigger(table, event), event, table, "CALL incumbent_guard('" + election + "')"));
        }
        return true;
    }

    /** A trigger, and what it does for each row. */
    private record Guard(String name, String event, String table, String action) {
        /** Whoever may make triggers on one table could give one a guard's name; made again, it would run with the rights of whoever installs. */
        boolean isOurs() {
            Matcher call = GUARDS.matcher(action);
            return name.equals(trigger(table, event)) && call.matches() && isElection(call.group(1));
        }

        private static boolean isElection(String name) {
            try {
                new ElectionName(name);
                return true;
            } catch (IllegalArgumentException none) {
                return false;
            }
        }

        String create(String how, String as) {
            return how + quoted(as) + " BEFORE " + event + " ON " + quoted(table) + " FOR EACH ROW " + action;
        }
    }

    /**
     * On MySQL a deputy guards the table while its trigger is made again. One that an installation left there, because it ended half-way, guards, too: it is dropped
     * only where the trigger itself stands.
     */
    private void guard(Guard guard) throws SQLException {
        if (!isMySql) {
            Installation.execute(connection, guard.create("CREATE OR REPLACE TRIGGER ", guard.name));
            return;
        }
        String deputy = guard.name + DEPUTY;
        if (isTrigger(guard.name)) {
            Installation.execute(connection, "DROP TRIGGER IF EXISTS " + quoted(deputy));
            Installation.execute(connection, guard.create("CREATE TRIGGER ", deputy));
            Installation.execute(connection, "DROP TRIGGER " + quoted(guard.name));
        }
        Installation.execute(connection, guard.create("CREATE TRIGGER ", guard.name));
        Installation.execute(connection, "DROP TRIGGER IF EXISTS " + quoted(deputy));
    }

    private boolean isTrigger(String name) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT 1 FROM information_schema.triggers WHERE trigger_schema = database() AND trigger_name = ?")) {
            query.setString(1, name);
            return Server.words(query).isPresent();
        }
    }

    /** The guards whose account is no more, which refuse every write (1449), and those whose deputy is still there. {@code strange} is told of what only has such a name. */
    private Collection<Guard> orphans(Set<String> gone, List<String> strange) throws SQLException {
        Map<String, Guard> orphans = new LinkedHashMap<>();
        try (PreparedStatement query = connection.prepareStatement(
                        "SELECT trigger_name, lower(event_manipulation), event_object_table, action_statement, definer"
                                + " FROM information_schema.triggers WHERE trigger_schema = database()"
                                + " AND trigger_name LIKE 'incumbent\\_guards\\_%' ORDER BY trigger_name");
                ResultSet row = query.executeQuery()) {
            while (row.next()) {
                String name = row.getString(1);
                if (name.endsWith(DEPUTY) || isGone(row.getString(5), gone)) {
                    String own = name.endsWith(DEPUTY) ? name.substring(0, name.length() - DEPUTY.length()) : name;
                    Guard guard = new Guard(own, row.getString(2), row.getString(3), row.getString(4));
                    if (guard.isOurs()) {
                        orphans.put(own, guard);
                    } else {
                        strange.add(name + " of table " + guard.table);
                    }
                }
            }
        }
        return orphans.values();
    }

    /** What this user may not see is not known to be gone. */
    private boolean isGone(String account, Set<String> gone) throws SQLException {
        if (gone.contains(account)) {
            return true;
        }
        try (PreparedStatement query =
                connection.prepareStatement("SELECT count(*) FROM mysql.user WHERE concat(user, '@', host) = ?")) {
            query.setString(1, account);
            return Server.words(query).orElse("").equals("0");
        } catch (SQLException failure) {
            if (failure.getErrorCode() != MAY_NOT_SELECT) {
                throw failure;
            }
            return false;
        }
    }

    private boolean isTable(String table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT 1 FROM information_schema.tables WHERE table_schema = database() AND table_name = ?"
                        + " AND table_type = 'BASE TABLE'")) {
            query.setString(1, table);
            return Server.words(query).isPresent();
        }
    }

    /** A name has 64 characters at most; a long table's own is cut and told apart by its hash. */
    private static String trigger(String table, String event) {
        String told =
                table.length() <= 36 ? table : table.substring(0, 27) + "_" + Integer.toHexString(table.hashCode());
        return "incumbent_guards_" + told + "_" + event;
    }

    static String quoted(String name) {
        return '`' + name.replace("`", "``") + '`';
    }
}
