package dev.incumbent.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.incumbent.ElectionListener;
import dev.incumbent.agent.Description;
import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.agent.elections.HostSetup;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The agent's addresses and their description tell of the same, with the same rights. */
@Tag("patient")
class RoutesTest {
    @Test
    void everyRouteIsDescribedWithItsRightAndNothingElseIs() {
        List<String> routes = new ArrayList<>();
        try (SystemTimeline timeline = new SystemTimeline();
                MemoryCoordinator coordinator = MemoryCoordinator.connect(
                        new MemoryStore(timeline),
                        new dev.incumbent.coordinator.memory.FaultyWire(),
                        timeline,
                        Duration.ofSeconds(1));
                ElectionRouter elections = ElectionRouter.open(
                        new HostSetup(
                                coordinator, Timing.ofLease(Duration.ofMinutes(1)), Optional.empty(), "", List.of()),
                        which -> ElectionListener.NONE)) {
            Routes.open(elections).forEach(route -> routes.add(route + " open"));
            Routes.of(new Gate(Optional.empty(), ""), elections, new Meters())
                    .forEach(route -> routes.add(
                            route + " " + route.right().map(Right::word).orElse("a token")));
        }
        assertThat(routes).containsExactlyInAnyOrderElementsOf(described());
    }

    private static List<String> described() {
        List<String> described = new ArrayList<>();
        Description.paths()
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(method -> described.add(method.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey()
                                + " " + right(method.getValue()))));
        return described;
    }

    private static String right(JsonNode operation) {
        return operation.has("security") ? "open" : operation.path("x-right").asText("a token");
    }
}
