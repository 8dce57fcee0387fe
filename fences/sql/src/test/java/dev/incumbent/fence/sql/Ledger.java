package dev.incumbent.fence.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A SQLite file in a folder of its own, with a fence and a table {@code ledger(line)} of the user's. */
record Ledger(Path folder) implements AutoCloseable {
    static Ledger inMode(String journal) {
        try {
            Ledger ledger = new Ledger(Files.createTempDirectory("incumbent-ledger"));
            new SqlSinkProvider().install(ledger.url());
            ledger.run("PRAGMA journal_mode=" + journal);
            ledger.run("CREATE TABLE ledger(line TEXT)");
            return ledger;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    Path file() {
        return folder.resolve("ledger.db");
    }

    String url() {
        return "sqlite:" + file();
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file());
    }

    void run(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }

    List<String> lines() {
        return column("SELECT line FROM ledger ORDER BY rowid");
    }

    List<String> column(String query) {
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

    /** Copies the file as it is now; running the answer renames the copy into its place, and takes its log away. */
    Runnable backUp() {
        Path copy = folder.resolve("yesterday.db");
        run("VACUUM INTO '" + copy + "'");
        return () -> {
            try {
                Files.move(copy, file(), StandardCopyOption.ATOMIC_MOVE);
                Files.deleteIfExists(Path.of(file() + "-wal"));
                Files.deleteIfExists(Path.of(file() + "-shm"));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        };
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.delete(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
