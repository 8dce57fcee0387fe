package dev.incumbent.jdbc;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One connection and its statements, each prepared once. Confined to one thread. */
public final class Sql implements AutoCloseable {
    private final Connection connection;
    private final Optional<Warnings> warnings;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    public Sql(Connection connection) {
        this(connection, Optional.empty());
    }

    /** One whose warnings are read, where somebody reads them: a driver may have to ask for them. */
    public Sql(Connection connection, Optional<Warnings> warnings) {
        this.connection = connection;
        this.warnings = warnings;
    }

    /** Runs what changes rows; how many it changed. An argument is a string, a long, an array or an optional string. */
    public int update(String sql, Object... arguments) throws SQLException {
        PreparedStatement statement = bound(sql, arguments);
        int changed = statement.executeUpdate();
        readWarnings(statement);
        return changed;
    }

    /** All rows of a query. */
    public <T> List<T> query(String sql, Row<T> row, Object... arguments) throws SQLException {
        List<T> rows = new ArrayList<>();
        PreparedStatement statement = bound(sql, arguments);
        try (ResultSet result = statement.executeQuery()) {
            readWarnings(statement);
            while (result.next()) {
                rows.add(row.of(result));
            }
        }
        return rows;
    }

    /** The one number a query answers. */
    public long number(String sql, Object... arguments) throws SQLException {
        return query(sql, row -> row.getLong(1), arguments).get(0);
    }

    /** Runs a statement that is not worth preparing. */
    public void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void readWarnings(Statement statement) throws SQLException {
        if (warnings.isEmpty()) {
            return;
        }
        Optional<SQLWarning> warning = Optional.ofNullable(statement.getWarnings());
        while (warning.isPresent()) {
            warnings.get().read(warning.get());
            warning = Optional.ofNullable(warning.get().getNextWarning());
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private PreparedStatement bound(String sql, Object... arguments) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        for (int i = 0; i < arguments.length; i++) {
            bind(statement, i + 1, arguments[i]);
        }
        return statement;
    }

    private static void bind(PreparedStatement statement, int index, Object argument) throws SQLException {
        if (argument instanceof Long number) {
            statement.setLong(index, number);
        } else if (argument instanceof Array array) {
            statement.setArray(index, array);
        } else if (argument instanceof Optional<?> optional) {
            if (optional.isPresent()) {
                bind(statement, index, optional.get());
            } else {
                statement.setObject(index, null);
            }
        } else {
            statement.setString(index, argument.toString());
        }
    }

    /** Reads what the server says beside an answer, and throws where that is no answer then. */
    public interface Warnings {
        void read(SQLWarning warning) throws SQLException;
    }

    /** Makes a value of the row a result stands at. */
    public interface Row<T> {
        T of(ResultSet row) throws SQLException;
    }
}
