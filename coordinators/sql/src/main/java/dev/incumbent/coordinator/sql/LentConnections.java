package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** Connections of the application's own data source; each goes back as it came. */
record LentConnections(DataSource lender, Dialect dialect, String label, String user) implements ServerSource {
    /** Asks a connection which database it is of. */
    static LentConnections of(DataSource lender) {
        try (Connection connection = lender.getConnection()) {
            DatabaseMetaData server = connection.getMetaData();
            String label = String.valueOf(server.getURL())
                    .replaceFirst("^jdbc:", "")
                    .replaceFirst("//[^/]*@", "//")
                    .split("[;?]", 2)[0];
            return new LentConnections(lender, dialect(server), label, String.valueOf(server.getUserName()));
        } catch (SQLException e) {
            String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given");
            throw new CoordinatorException("the data source gives no connection: " + why, false, e);
        }
    }

    private static Dialect dialect(DatabaseMetaData server) throws SQLException {
        String product = server.getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> new PostgresDialect();
            case "mariadb", "mysql" -> new MariaDbDialect();
            default ->
                throw new CoordinatorUnusableException("the data source leads to " + product
                        + ", where no coordinator is known; known are PostgreSQL, MariaDB and MySQL");
        };
    }

    @Override
    public Connection connect(Duration requestTimeout) throws SQLException {
        return lender.getConnection();
    }

    @Override
    public Ending ending(Connection fresh) throws SQLException {
        boolean committed = fresh.getAutoCommit();
        int timeout = fresh.getNetworkTimeout();
        fresh.setAutoCommit(true);
        List<String> restoring = dialect.restoring(fresh);
        return new Ending() {
            @Override
            public void end() throws SQLException {
                try (fresh) {
                    giveBack(fresh, restoring, committed, timeout);
                }
            }

            /** A pool sees by the failures that nobody else can use it. */
            @Override
            public void abandon() throws SQLException {
                fresh.abort(Runnable::run);
                end();
            }
        };
    }

    /** What cannot be restored must not serve anybody else. */
    private static void giveBack(Connection lent, List<String> restoring, boolean committed, int timeout)
            throws SQLException {
        try (Statement statement = lent.createStatement()) {
            for (String sql : restoring) {
                statement.execute(sql);
            }
            lent.setNetworkTimeout(Runnable::run, timeout);
            lent.setAutoCommit(committed);
        } catch (SQLException broken) {
            lent.abort(Runnable::run);
        }
    }
}
