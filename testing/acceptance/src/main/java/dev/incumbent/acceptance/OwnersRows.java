package dev.incumbent.acceptance;

import dev.incumbent.fence.Sinks;
import dev.incumbent.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The table that owners write into, behind the fence of a PostgreSQL. Who wrote a row, and when, the database adds by itself. Thread-safe. */
final class OwnersRows implements AutoCloseable {
    private static final String TABLE =
            "create table ledger (id bigserial primary key, token bigint not null, number bigint not null, "
                    + "who text not null default current_setting('application_name'), "
                    + "at timestamptz not null default clock_timestamp())";
    private static final String ROWS =
            "select token, who, (extract(epoch from at) * 1000)::bigint from ledger where who like ? order by id";

    private final PostgresServer postgres;
    private final Connection connection;

    private OwnersRows(PostgresServer postgres, Connection connection) {
        this.postgres = postgres;
        this.connection = connection;
    }

    /** A row, by the clock of this machine. */
    record Row(long token, String who, long atMillis) {}

    /** A server whose log tells which error each line is about, and of whose client. */
    static PostgresServer server() {
        return PostgresServer.start(List.of("log_line_prefix=%e %a "), Map.of());
    }

    static OwnersRows create(PostgresServer postgres) throws SQLException {
        Sinks.install(postgres.jdbcUrl());
        postgres.psql(TABLE);
        return new OwnersRows(postgres, DriverManager.getConnection(postgres.jdbcUrl()));
    }

    /** The sink of leaders, and a coordinator as well. */
    String url() {
        return postgres.jdbcUrl();
    }

    /** All rows of one owner, or of several by a pattern of SQL, in the order in which they were written. */
    synchronized List<Row> of(String who) {
        List<Row> rows = new ArrayList<>();
        try (PreparedStatement asked = connection.prepareStatement(ROWS)) {
            asked.setString(1, who);
            try (ResultSet found = asked.executeQuery()) {
                while (found.next()) {
                    rows.add(new Row(found.getLong(1), found.getString(2), found.getLong(3)));
                }
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Announces a leader by hand. */
    void raise(String election, long token) {
        postgres.psql("select incumbent.raise('" + election + "', " + token + ", 'operator:trial')");
    }

    /** How many writes of that owner the fence has refused as stale. */
    long refusals(String who) {
        return postgres.process()
                .log()
                .lines()
                .filter(line -> line.startsWith("IF001 " + who + " ERROR"))
                .count();
    }

    /** What speaks against the order of some rows: a lower token after a higher one, a token of two owners, two that write at one time. */
    static List<String> disorder(List<Row> rows) {
        List<String> found = new ArrayList<>();
        for (int i = 1; i < rows.size(); i++) {
            Row before = rows.get(i - 1);
            Row row = rows.get(i);
            boolean isSameTerm = row.token() == before.token() && row.who().equals(before.who());
            boolean isNextTerm = row.token() > before.token() && row.atMillis() >= before.atMillis();
            if (!isSameTerm && !isNextTerm) {
                found.add(row + " after " + before);
            }
        }
        return found;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
