package dev.incumbent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How planted bugs are looked for. That each of them is found, {@code incumbent simulate canaries} shows, which {@code ./test} runs. */
class CanariesTest {
    @Test
    void everyPlantedBugHasANameOfItsOwn() {
        assertThat(Canaries.all()).hasSizeGreaterThanOrEqualTo(93);
        assertThat(Canaries.all().stream().map(Canaries.Bug::name)).doesNotHaveDuplicates();
    }

    @Test
    void aPlantedBugIsFoundByItsOwnInvariantAlone() {
        Canaries.Bug bug = named("marks-unread");
        Canaries.Bug byAnother = new Canaries.Bug(
                bug.name(), bug.rule(), "NoMachineThrows", bug.needs(), bug.sinks(), bug.among(), bug.canary());

        Canaries.Hunt hunt = Canaries.hunt(bug, 1);

        assertThat(hunt.found().orElseThrow().violation().orElseThrow().invariant())
                .isEqualTo(bug.caughtBy());
        assertThat(Canaries.hunt(byAnother, 1, hunt.seeds()).found()).isEmpty();
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
