package dev.incumbent.junit;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class WorldsTest {
    private static final int SEEDS = 500;

    @Test
    void aTaskThatAsksItsGuardAndThenWritesUnfencedIsConvictedAndItsSeedTellsTheSameStoryAgain() {
        Scenario scenario = Journals.underFaults(Journals::unfenced);

        Throwable convicted = catchThrowable(() -> Worlds.runSeeds(SEEDS, scenario));

        assertThat(convicted).isInstanceOf(AssertionError.class);
        String message = String.valueOf(convicted.getMessage());
        Matcher seed = Pattern.compile("seed 0x([0-9a-f]+): ").matcher(message);
        assertThat(seed.lookingAt()).as(message).isTrue();
        assertThat(message)
                .containsPattern("a stale write: journal accepted a write by [abc] of term \\d+, after it had served")
                .contains("STALE: ")
                .contains("Play it again: Worlds.replay(0x" + seed.group(1) + "L, scenario)")
                .contains("@IncumbentTest(seed = 0x" + seed.group(1) + "L)");
        assertThat(message.lines().count()).isLessThan(40);
        assertThatThrownBy(() -> Worlds.replay(Long.parseLong(seed.group(1), 16), scenario))
                .hasMessage(message);
    }

    @Test
    void aTaskThatShowsItsTokenIsAcquittedInAllSeeds() {
        Worlds.runSeeds(SEEDS, Journals.underFaults(Journals::fenced));
    }

    @Test
    void theSameSeedTellsTheSameStoryTwiceAndAnotherSeedAnother() {
        Scenario scenario = Journals.underFaults(Journals::fenced);

        List<String> first = Worlds.replay(77, scenario);

        assertThat(first).hasSizeGreaterThan(50);
        assertThat(Worlds.replay(77, scenario)).isEqualTo(first);
        assertThat(Worlds.replay(78, scenario)).isNotEqualTo(first);
    }

    @Test
    void seedsBeginWhereTheyAreToldTo() {
        List<Long> seeds = new ArrayList<>();

        Worlds.runSeeds(40, 3, world -> seeds.add(world.seed()));

        assertThat(seeds).containsExactly(40L, 41L, 42L);
        assertThatThrownBy(() -> Worlds.runSeeds(0, world -> {})).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theFirstSeedThatFailsEndsTheRunAndItsMessageHasWhatWasThrown() {
        List<Long> seeds = new ArrayList<>();

        assertThatThrownBy(() -> Worlds.runSeeds(10, world -> {
                    seeds.add(world.seed());
                    if (world.seed() == 3) {
                        throw new IllegalStateException("the third");
                    }
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("seed 0x3: java.lang.IllegalStateException: the third")
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(seeds).containsExactly(1L, 2L, 3L);
    }

    @Test
    void somebodyLeadsSoonAfterAllFaultsHaveEnded() {
        Worlds.runSeeds(20, world -> {
            VirtualStore<List<String>> journal = world.fencedStore("journal", new ArrayList<>());
            world.candidate("a", Journals.fenced(world, journal));
            world.candidate("b", Journals.fenced(world, journal));
            world.injectFaults();
            world.runFor(ofSeconds(200));

            world.heal();
            world.runFor(ofSeconds(150));

            assertThat(world.leader()).isPresent();
        });
    }
}
