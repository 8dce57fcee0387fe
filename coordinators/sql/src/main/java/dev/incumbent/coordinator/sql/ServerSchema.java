package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.sql.SQLException;
import java.util.List;

/** The tables in a database server, and their version. */
final class ServerSchema {
    /** What this code writes and reads. */
    static final int VERSION = 1;

    private ServerSchema() {}

    /** Are they there? Those of a later version are refused. */
    static boolean isThere(ServerSession session) throws SQLException {
        List<Long> versions;
        try {
            versions = session.sql().query("select version from incumbent_schema", row -> row.getLong(1));
        } catch (SQLException e) {
            if (session.dialect().isMissingTable(e)) {
                return false;
            }
            throw e;
        }
        if (versions.stream().anyMatch(version -> version != VERSION)) {
            throw new CoordinatorUnusableException(
                    "has schema " + versions.get(0) + ", written by a later version; this one knows schema " + VERSION);
        }
        return !versions.isEmpty();
    }

    /** Makes them, unless another process just has. */
    static void create(ServerSession session, String user) throws SQLException {
        Dialect dialect = session.dialect();
        try {
            for (String statement : dialect.lockOfInstalling()) {
                session.sql().execute(statement);
            }
            for (String statement : dialect.tables()) {
                session.sql().execute(statement);
            }
            session.sql()
                    .update("insert into incumbent_schema(version) select " + VERSION
                            + " where not exists (select 1 from incumbent_schema)");
            for (String statement : dialect.unlockOfInstalling()) {
                session.sql().execute(statement);
            }
        } catch (SQLException e) {
            if (dialect.meaning(e) != Dialect.Failure.RIGHTS) {
                throw e;
            }
            throw new CoordinatorUnusableException(
                    "lacks our tables, and " + (user.isEmpty() ? "the user" : "user " + user)
                            + " may not make them; let who may run incumbent install --at there once",
                    e);
        }
    }
}
