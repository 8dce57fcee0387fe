package dev.incumbent.examples;

import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.fence.Fence;
import dev.incumbent.fence.Sinks;
import dev.incumbent.fence.sql.JdbcFence;
import dev.incumbent.model.Timing;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;

/** A first program: start it twice in one folder, and end the one that leads. The other one goes on writing, with a greater token. */
public final class FirstProgram {
    private FirstProgram() {}

    @SuppressWarnings("try") // a candidacy need not be spoken to: that it is open is what counts
    public static void main(String[] args) throws Exception {
        Sinks.install("sqlite:ledger.db");
        try (var sink = Sinks.open("sqlite:ledger.db");
                var elections = Elections.connect("file:coordinator.db")
                        .timing(Timing.ofLease(Duration.ofSeconds(6)))
                        .open();
                var candidacy = elections.election("hello").guarding(sink).campaign(FirstProgram::lead)) {
            System.out.println("waiting to lead; press Enter to quit");
            System.in.read();
        }
    }

    /** Runs while this process leads. An interrupt asks it to stop. */
    private static void lead(Leadership leadership) throws Exception {
        System.out.println("I lead, token " + leadership.token());
        try (Connection ledger = DriverManager.getConnection("jdbc:sqlite:ledger.db");
                Statement sql = ledger.createStatement()) {
            sql.execute("CREATE TABLE IF NOT EXISTS ledger(token INTEGER, line TEXT)");
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
