package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.Asking;
import dev.incumbent.sql.FileSystems;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Path;
import java.time.Duration;

/** The main class of a process of another user: reads a record, or tries to write one. */
final class OtherUser {
    private OtherUser() {}

    public static void main(String[] arguments) throws Exception {
        Mode mode = arguments[1].equals("read") ? Mode.READ_ONLY : Mode.CREATE;
        SqliteStore store = new SqliteStore(Path.of(arguments[0]), mode, Duration.ofSeconds(5), FileSystems::typeOf);
        SqliteLane.Clocks clocks = new SqliteLane.Clocks(new SystemTimeline(), Boot.current(), Duration.ofSeconds(10));
        try (Coordinator client = SqliteCoordinator.open(store, clocks)) {
            System.out.println("term " + Asking.found(client).record().term());
        } catch (CoordinatorException e) {
            System.out.println(e.getMessage());
        }
        System.exit(0);
    }
}
