package dev.incumbent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The invariants find what they are there to find. */
class CanariesTest {
    @Test
    @Tag("trial")
    void everyPlantedBugIsFoundWithinItsBudget() {
        int processors = Runtime.getRuntime().availableProcessors();

        List<Canaries.Hunt> hunts = Canaries.huntAll(processors, done -> {});

        assertThat(hunts).hasSizeGreaterThanOrEqualTo(83);
        assertThat(hunts)
                .allSatisfy(hunt -> assertThat(hunt.found())
                        .as("%s, in %s seeds", hunt.bug().name(), hunt.seeds())
                        .isPresent());
        assertThat(hunts.stream().map(hunt -> hunt.bug().name())).doesNotHaveDuplicates();
    }

    @Test
    void aWorldWithAPlantedBugShrinksToFewFaults() {
        Canaries.Bug bug = named("marks-unread");
        long seed = Canaries.hunt(bug, 1).found().orElseThrow().seed();

        Shrinker.Shrunk shrunk = Shrinker.shrink(Plan.of(seed), bug.canary()).orElseThrow();

        assertThat(shrunk.left()).hasSizeLessThanOrEqualTo(4);
        assertThat(shrunk.left()).extracting(Fault::kind).contains(Fault.Kind.SINK_BACK);
        assertThat(shrunk.faults()).isGreaterThan(10);
        assertThat(Worlds.run(seed, shrunk.left(), bug.canary(), Worlds.UNTRACED)
                        .violation())
                .as("what is left fails as the whole did")
                .contains(shrunk.violation());
        assertThat(shrunk.test()).contains("@Test", "Fault.Kind.SINK_BACK", "Worlds.run(0x%016xL".formatted(seed));
    }

    @Test
    void aWorldThatHoldsHasNothingToShrink() {
        assertThat(Shrinker.shrink(0x9ee3ed656095bd19L)).isEmpty();
    }

    private static Canaries.Bug named(String name) {
        return Canaries.all().stream()
                .filter(bug -> bug.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
