package dev.incumbent.fence.sql;

import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement once more, with the admission before it: executed in its stead where it is the first of its transaction, it spares the admission's own
 * round trip.
 *
 * <p>It learns the parameters as the plain statement does. Whatever it cannot repeat faithfully (a stream, a fetch size, a time limit) leaves the plain one to
 * be executed, after an admission by itself. Used by one thread at a time.
 */
final class CarriedAdmission {
    private static final Set<String> CARRIES =
            Set.of("select", "insert", "update", "delete", "merge", "with", "values");
    private static final Set<String> EXECUTES =
            Set.of("execute", "executeQuery", "executeUpdate", "executeLargeUpdate");

    private final Connection connection;
    private final String sql;
    private final int answers;
    private final Map<Integer, Setting> parameters = new TreeMap<>();
    private boolean isUnlike;
    private boolean isConfigured;
    private @Nullable PreparedStatement statement;

    /** One call that sets a parameter, made again on another statement. */
    private interface Setting {
        void on(PreparedStatement statement) throws Throwable;
    }

    private CarriedAdmission(Connection connection, String admission, String sql) {
        this.connection = connection;
        this.sql = admission + sql;
        this.answers = (int) admission.chars().filter(c -> c == ';').count();
    }

    /** For a statement that was prepared from its text alone; empty where admission and statement cannot go together. */
    static Optional<CarriedAdmission> before(
            PreparedStatement plain, @Nullable Object[] prepared, Admission admission, Connection connection)
            throws SQLException {
        Optional<String> text = admission.inOneRoundTrip();
        if (text.isEmpty() || prepared.length != 1 || !(prepared[0] instanceof String sql)) {
            return Optional.empty();
        }
        boolean carries = CARRIES.contains(admission.fenceable(sql).firstWord())
                && sql.indexOf(';') < 0
                && plain.getFetchSize() == 0;
        return carries ? Optional.of(new CarriedAdmission(connection, text.get(), sql)) : Optional.empty();
    }

    /** The plain statement is called, but not executed. */
    void learn(Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        String name = method.getName();
        if (name.equals("clearParameters")) {
            parameters.clear();
            isUnlike = false;
        } else if (name.equals("close")) {
            close();
        } else if (name.startsWith("set") && arguments != null && arguments.length > 1) {
            parameters.put((Integer) arguments[0], on -> Calls.call(on, method, arguments));
            isUnlike |= isReadOnce(arguments[1]);
        } else if (name.startsWith("set") || name.equals("closeOnCompletion")) {
            isConfigured = true;
        }
    }

    private static boolean isReadOnce(@Nullable Object value) {
        return value instanceof InputStream
                || value instanceof Reader
                || value instanceof Blob
                || value instanceof Clob
                || value instanceof SQLXML;
    }

    boolean executes(Method method, @Nullable Object @Nullable [] arguments) {
        return arguments == null && !isUnlike && !isConfigured && EXECUTES.contains(method.getName());
    }

    /** What is executed, its parameters set. */
    PreparedStatement ready() throws Throwable {
        PreparedStatement ready = statement;
        if (ready == null) {
            ready = connection.prepareStatement(sql);
            statement = ready;
        }
        for (Setting one : parameters.values()) {
            one.on(ready);
        }
        return ready;
    }

    /** Executes it, passes over the admission's own answers, and answers what the plain statement would. */
    @Nullable
    Object execute(PreparedStatement ready, Method method) throws SQLException {
        boolean isRows = ready.execute();
        for (int i = 0; i < answers; i++) {
            isRows = ready.getMoreResults();
        }
        return switch (method.getName()) {
            case "execute" -> isRows;
            case "executeQuery" -> rows(ready, isRows);
            case "executeUpdate" -> Math.toIntExact(count(ready, isRows));
            default -> count(ready, isRows);
        };
    }

    private static Object rows(PreparedStatement executed, boolean isRows) throws SQLException {
        if (!isRows) {
            throw new SQLException("no results were returned by the query", "02000");
        }
        return executed.getResultSet();
    }

    private static long count(PreparedStatement executed, boolean isRows) throws SQLException {
        if (isRows) {
            throw new SQLException("a result was returned when none was expected", "0100E");
        }
        return executed.getLargeUpdateCount();
    }

    private void close() throws SQLException {
        if (statement != null) {
            statement.close();
        }
    }
}
