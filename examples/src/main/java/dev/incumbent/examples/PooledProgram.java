package dev.incumbent.examples;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.sql.JdbcCoordinator;
import dev.incumbent.fence.Fence;
import dev.incumbent.fence.Sinks;
import dev.incumbent.fence.sql.JdbcFence;
import dev.incumbent.model.Timing;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** The first program over PostgreSQL, by the pool that a program has. Start it twice, and end the one that leads. */
public final class PooledProgram {
    private PooledProgram() {}

    /** Its argument is a database: {@code jdbc:postgresql://db.example/app?user=app}. */
    @SuppressWarnings("try") // a candidacy need not be spoken to: that it is open is what counts
    public static void main(String[] args) throws Exception {
        HikariConfig database = new HikariConfig();
        database.setJdbcUrl(args[0]);
        Sinks.install(args[0]);
        try (var pool = new HikariDataSource(database);
                var sink = Sinks.open(args[0]);
                var elections = Elections.connect(JdbcCoordinator.over(pool))
                        .timing(Timing.ofLease(Duration.ofSeconds(6)))
                        .open();
                var candidacy = elections.election("hello").guarding(sink).campaign(term -> lead(term, pool))) {
            System.out.println("waiting to lead; press Enter to quit");
            System.in.read();
        }
    }

    /** Runs while this process leads. An interrupt asks it to stop. */
    private static void lead(Leadership leadership, DataSource pool) throws Exception {
        System.out.println("I lead, token " + leadership.token());
        try (Connection ledger = pool.getConnection();
                Statement sql = ledger.createStatement()) {
            sql.execute("CREATE TABLE IF NOT EXISTS ledger(token BIGINT, line TEXT)");
            ledger.setAutoCommit(false);
            Fence fence = JdbcFence.over(ledger);
            for (int line = 1; leadership.holds(); line++) {
                fence.admit(leadership.term().election(), leadership.token());
                sql.execute("INSERT INTO ledger VALUES (" + leadership.token() + ", 'line " + line + "')");
                ledger.commit();
                Thread.sleep(1000);
            }
        }
    }
}
