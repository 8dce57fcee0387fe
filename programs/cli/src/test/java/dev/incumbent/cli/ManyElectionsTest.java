package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.VirtualTimeline;
import dev.incumbent.wire.Json;
import dev.incumbent.wire.JsonException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** {@code status} of more elections than it reads at a time. */
class ManyElectionsTest {
    private final Office office = new Office(new VirtualTimeline());

    /** However many there are: their records do not lie in memory together. */
    @Test
    void electionsAreReadTwoThousandAtATimeAndToldInOrder() throws JsonException {
        for (int i = 0; i < 4_001; i++) {
            office.stand("e/" + (10_000 + i), "a");
        }
        List<Integer> asked = new ArrayList<>();

        CommandRun json = runCounting(asked, "status", "-o", "json");
        CommandRun text = runCounting(asked, "status", "e/");

        assertThat(asked).containsExactly(2_000, 2_000, 1, 2_000, 2_000, 1);
        assertThat(Json.read(json.out()).at("elections").items().stream()
                        .map(one -> one.at("election").text()))
                .hasSize(4_001)
                .startsWith("e/10000", "e/10001")
                .endsWith("e/13999", "e/14000");
        assertThat(text.out().lines()).hasSize(4_002).last().asString().startsWith("e/14000 ");
    }

    @Test
    void whatCannotBeReadPrintsNothing() {
        office.stand("job", "a");

        CommandRun status = office.runOver(
                it -> new ForwardingCoordinator(it) {
                    @Override
                    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                        return CompletableFuture.failedFuture(new CoordinatorException("it is away", false));
                    }
                },
                Map.of(),
                "status",
                "-o",
                "json");

        assertThat(status.out()).isEmpty();
        assertThat(status.code()).isEqualTo(69);
    }

    private CommandRun runCounting(List<Integer> asked, String... line) {
        return office.runOver(
                it -> new ForwardingCoordinator(it) {
                    @Override
                    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                        asked.add(elections.size());
                        return super.read(elections);
                    }
                },
                Map.of(),
                line);
    }
}
