package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.Capability;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A fresh database on a real server, with a fence and a table {@code ledger(line)} of the user's. */
interface Database extends AutoCloseable {
    /** With the credentials of whoever may do everything. */
    String url();

    Set<Capability> capabilities();

    /** The fence's table of marks. */
    default String marks() {
        return "incumbent_fence";
    }

    /** Asks how many of its sessions wait for a lock; empty where it does not tell. */
    String waiting();

    /** Ends every connection to it but this one's. */
    void cutOff();

    /** Takes a backup, and puts it in its place when run. */
    Runnable backUp();

    @Override
    void close();

    /** Lets time pass until so many wait. */
    default void awaitWaiting(int count) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        do {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            if (System.nanoTime() > end) {
                throw new AssertionError(count + " were to wait");
            }
        } while (!waiting().isEmpty() && !column(waiting()).equals(List.of(Integer.toString(count))));
    }

    default Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    default void install() {
        new SqlSinkProvider().install(url());
    }

    default void run(String... statements) {
        for (String sql : statements) {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute(sql);
            } catch (SQLException failure) {
                throw new IllegalStateException(sql, failure);
            }
        }
    }

    default List<String> column(String query) {
        List<String> values = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                values.add(row.getString(1));
            }
        } catch (SQLException failure) {
            throw new IllegalStateException(query, failure);
        }
        return values;
    }

    default List<String> lines() {
        return column("SELECT line FROM ledger ORDER BY id");
    }
}
