package dev.incumbent.coordinator.sql;

import dev.incumbent.adverse.ManyOffices;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Alone in its JVM while it runs, for it counts threads. */
@Tag("realtime")
@Isolated
class ManyElectionsTest {
    /** How often the server ran the one statement that keeps a lease. */
    private static final String KEEP_ALIVES = "select coalesce(sum(calls), 0) from pg_stat_statements"
            + " where query like 'update incumbent_lease set expires_us=greatest%'";

    @Test
    void fiveHundredElectionsAreKeptByOneStatementAndFewThreads() {
        ManyOffices offices = new ManyOffices(500, Duration.ofSeconds(6));
        List<String> counting = List.of("shared_preload_libraries=pg_stat_statements");
        try (PostgresServer server = PostgresServer.start(counting, Map.of());
                SystemTimeline timeline = new SystemTimeline()) {
            server.psql("create extension pg_stat_statements");
            try (Coordinator coordinator = new SqlCoordinatorProvider()
                    .open(server.jdbcUrl(), timeline, offices.requestTimeout(), Mode.CREATE)) {
                offices.areKeptByOneKeepAlive(
                        coordinator,
                        timeline,
                        () -> Long.parseLong(server.psql(KEEP_ALIVES).strip()));
            }
        }
    }
}
