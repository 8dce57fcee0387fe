package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Revision;
import dev.incumbent.time.VirtualTimeline;
import dev.incumbent.wire.Json;
import dev.incumbent.wire.JsonException;
import java.util.ArrayList;
import java.util.HashMap;
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

    /** Whatever their order: who hears 69 asks again, and 78 would say that this is of no use. */
    @Test
    void anElectionThatCannotBeReadIsToldBeforeOneThatIsNotUnderstood() {
        List.of("a", "b", "c").forEach(name -> office.stand(name, "ada"));
        Reading unread = new Reading.Unread("it is away");
        Reading foreign = new Reading.Foreign(new Revision("7"), "a later version wrote it");

        assertThat(runTelling(Map.of("a", foreign, "b", unread)).code()).isEqualTo(69);
        assertThat(runTelling(Map.of("a", unread, "b", foreign)).code()).isEqualTo(69);
        assertThat(runTelling(Map.of("a", foreign)).code()).isEqualTo(78);
    }

    /** What was printed is no JSON then: nobody takes it for all of them. */
    @Test
    void whereALaterReadFailsTheOutputEndsAndTheReasonIsTold() {
        for (int i = 0; i < 2_001; i++) {
            office.stand("e/" + (10_000 + i), "a");
        }

        CommandRun status = office.runOver(
                it -> new ForwardingCoordinator(it) {
                    @Override
                    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                        return elections.size() == 2_000
                                ? super.read(elections)
                                : CompletableFuture.failedFuture(new CoordinatorException("it is away", false));
                    }
                },
                Map.of(),
                "status",
                "-o",
                "json");

        assertThat(status.code()).isEqualTo(69);
        assertThat(status.err()).contains("it is away");
        assertThat(status.out()).contains("\"e/10000\"", "\"e/11999\"").doesNotContain("\"e/12000\"");
        assertThatThrownBy(() -> Json.read(status.out())).isInstanceOf(JsonException.class);
    }

    private CommandRun runTelling(Map<String, Reading> differing) {
        return office.runOver(
                it -> new ForwardingCoordinator(it) {
                    @Override
                    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                        return super.read(elections).thenApply(readings -> {
                            Map<ElectionName, Reading> told = new HashMap<>(readings);
                            differing.forEach((name, reading) -> told.put(new ElectionName(name), reading));
                            return told;
                        });
                    }
                },
                Map.of(),
                "status");
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
