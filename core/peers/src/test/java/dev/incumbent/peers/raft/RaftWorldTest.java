package dev.incumbent.peers.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.peers.raft.RaftWorld.Ending;
import dev.incumbent.peers.raft.RaftWorld.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever happens to the members, a term begins once and one of them holds a lease. */
class RaftWorldTest {
    @Test
    void everyInvariantHoldsInThousandsOfWorlds() {
        Map<String, Integer> reached = hold(2_000, Plan.FAULTS);

        assertThat(reached)
                .containsKeys(
                        "term begun",
                        "transfer asked",
                        "mark refused",
                        "disk wiped",
                        "crash within a step",
                        "clock jumped");
    }

    @Test
    @Tag("trial")
    void everyInvariantHoldsInTwentyThousandWorlds() {
        Map<String, Integer> reached = hold(20_000, Plan.FAULTS);

        System.out.println("20,000 worlds: " + reached);
        assertThat(reached.get("term begun")).isGreaterThan(100_000);
    }

    @Test
    void aReturningMemberDisturbsNobody() {
        hold(200, Plan.RETURNING);
    }

    @Test
    void theSameSeedHasTheSameStory() {
        List<String> once = new ArrayList<>();
        List<String> twice = new ArrayList<>();

        RaftWorld.run(7, Plan.FAULTS, Optional.empty(), once::add);
        RaftWorld.run(7, Plan.FAULTS, Optional.empty(), twice::add);

        assertThat(once).hasSizeGreaterThan(1_000).isEqualTo(twice);
    }

    private static Map<String, Integer> hold(int seeds, Plan plan) {
        Map<String, Integer> reached = new TreeMap<>();
        for (long seed = 0; seed < seeds; seed++) {
            Ending ending = RaftWorld.run(seed, plan, Optional.empty());
            assertThat(ending.broken())
                    .as("seed %s: %s%n%s", seed, ending.how(), ending.broken().isPresent() ? story(seed, plan) : "")
                    .isEmpty();
            ending.reached().forEach((what, often) -> reached.merge(what, often, Integer::sum));
        }
        return reached;
    }

    /** The last of what happened before. */
    private static String story(long seed, Plan plan) {
        List<String> lines = new ArrayList<>();
        RaftWorld.run(seed, plan, Optional.empty(), lines::add);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 80), lines.size()));
    }
}
