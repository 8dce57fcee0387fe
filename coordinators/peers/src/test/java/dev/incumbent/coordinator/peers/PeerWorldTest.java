package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.peers.PeerWorld.PeerEnding;
import dev.incumbent.servers.TemporaryFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever happens to the members, one guard says yes, a term begins once, a task begins when no other one runs under a lease, and somebody leads once faults have ceased; a driver with a bug is convicted. */
class PeerWorldTest {
    private static final int WORLDS = 20;
    private static final int WORLDS_OF_A_TRIAL = 1_000;
    private static final int BUDGET = 150;

    @Test
    void everyInvariantHolds() {
        Map<String, Integer> reached = hold(WORLDS);

        System.out.println(WORLDS + " worlds: " + reached);
        assertThat(reached)
                .containsKeys(
                        "term begun", "transfer asked", "disk wiped", "wall clock set", "told stale", "left or failed");
    }

    @Test
    @Tag("trial")
    void everyInvariantHoldsInAThousandWorlds() {
        Map<String, Integer> reached = hold(WORLDS_OF_A_TRIAL);

        System.out.println(WORLDS_OF_A_TRIAL + " worlds: " + reached);
        assertThat(reached.get("term begun")).isGreaterThan(WORLDS_OF_A_TRIAL);
    }

    @ParameterizedTest
    @EnumSource(PeerFlaw.class)
    void aMemberWithABugIsConvicted(PeerFlaw flaw) {
        OptionalLong seed = LongStream.range(flaw.lookedForFrom(), flaw.lookedForFrom() + BUDGET)
                .filter(one -> run(one, Optional.of(flaw)).broken().equals(Optional.of(flaw.foundBy())))
                .findFirst();

        assertThat(seed).as("%s within %s worlds", flaw, BUDGET).isPresent();
        System.out.println(flaw + ": world " + seed.getAsLong() + ", "
                + run(seed.getAsLong(), Optional.of(flaw)).how());
        assertThat(run(seed.getAsLong(), Optional.empty()).broken()).isEmpty();
    }

    private static Map<String, Integer> hold(int worlds) {
        Map<String, Integer> reached = new TreeMap<>();
        List<String> broken = new ArrayList<>();
        for (long seed = 0; seed < worlds; seed++) {
            PeerEnding ending = run(seed, Optional.empty());
            if (ending.broken().isPresent()) {
                broken.add("world " + seed + ": " + ending.broken().get() + ": " + ending.how());
            }
            ending.reached().forEach((what, often) -> reached.merge(what, often, Integer::sum));
        }
        assertThat(broken).isEmpty();
        return reached;
    }

    /** In memory: a world writes some hundred times, and a power failure is none of its faults. */
    private static PeerEnding run(long seed, Optional<PeerFlaw> flaw) {
        try (TemporaryFolder folder = TemporaryFolder.create("peer-world")) {
            return PeerWorld.run(seed, folder.path(), flaw);
        }
    }
}
