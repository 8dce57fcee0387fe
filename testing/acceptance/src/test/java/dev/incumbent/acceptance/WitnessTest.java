package dev.incumbent.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Guard;
import dev.incumbent.acceptance.Witness.Phase;
import dev.incumbent.model.FencingToken;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a trial's witness must not overlook, and what it must not hold against anybody. */
class WitnessTest {
    private static final Duration BOUND = Duration.ofSeconds(11);

    private final VirtualTimeline time = new VirtualTimeline();
    private final Witness witness = new Witness(time, BOUND);

    @Test
    void oneLeaderAfterAnotherIsAsItShouldBe() {
        see(leading(1));
        see();
        see(leading(2));

        assertThat(witness.doubles()).isEmpty();
        assertThat(witness.vacancies()).isEmpty();
    }

    @Test
    void twoThatLeadAtOnceAreSeen() {
        see(leading(1), leading(2));

        assertThat(witness.doubles()).containsExactly("terms 1 and 2 lead at once");
    }

    @Test
    void aLeaderThatLeadsOnAfterItsSuccessorIsSeen() {
        see(leading(2));
        see(leading(1));

        assertThat(witness.doubles()).containsExactly("term 1 leads after term 2");
    }

    @Test
    void twoThatLeadAtOnceAreMeasuredWhileThatIsExcused() {
        witness.excusesOverlaps(Duration.ofSeconds(4));
        see(leading(1), leading(2));
        time.advance(Duration.ofMillis(12));
        see(leading(1), leading(2));
        see(leading(2));

        assertThat(witness.doubles()).isEmpty();
        assertThat(witness.excusedDoubles()).contains("1 times, for 12 ms at most");
    }

    @Test
    void twoThatLeadOnAtOnceWhenItIsNoLongerExcusedAreSeen() {
        witness.excusesOverlaps(Duration.ofSeconds(4));
        see(leading(1), leading(2));
        time.advance(Duration.ofMillis(4_001));
        see(leading(1), leading(2));

        assertThat(witness.doubles()).contains("terms 1 and 2 lead at once");
    }

    @Test
    void aTermThatBeginsTwiceIsSeen() {
        witness.begins(leading(3), "c1");
        witness.begins(leading(3), "c2");

        assertThat(witness.repetitions()).containsExactly("term 3 began twice: for c1 and for c2");
    }

    @Test
    void aTermThatBeginsAfterAGreaterOneIsSeen() {
        witness.begins(leading(3), "c1");
        witness.begins(leading(2), "c2");

        assertThat(witness.repetitions()).containsExactly("term 2 began after term 3");
    }

    @Test
    void aVacancyLongerThanAllowedIsSeenOnce() {
        see(leading(1));
        vacantFor(BOUND.plusMillis(100));

        assertThat(witness.vacancies()).hasSize(1);
        assertThat(witness.isTooLong()).isTrue();
        assertThat(witness.longestSeconds(Phase.HEALED)).isGreaterThan(BOUND.toSeconds() * 1.0);
    }

    @Test
    void aVacancyCountsFromTheHealOnWhereTheMajorityWasLost() {
        see(leading(1));
        witness.becomes(Phase.MAJORITY_LOST);
        vacantFor(BOUND.multipliedBy(2));
        witness.becomes(Phase.HEALED);
        vacantFor(BOUND.minusSeconds(1));
        assertThat(witness.vacancies()).isEmpty();

        vacantFor(Duration.ofSeconds(2));

        assertThat(witness.vacancies()).hasSize(1);
    }

    @Test
    void aVacancyWhileAMinorityIsLostIsNotExcusedAndTellsTheFault() {
        witness.befalls("one member is frozen");
        witness.becomes(Phase.MINORITY_LOST);
        vacantFor(BOUND.plusSeconds(1));

        assertThat(witness.vacancies()).singleElement().asString().endsWith("; the last fault: one member is frozen");
    }

    private void vacantFor(Duration length) {
        for (long passed = 0; passed < length.toMillis(); passed += 100) {
            time.advance(Duration.ofMillis(100));
            see();
        }
    }

    private void see(Guard... leaders) {
        witness.look(List.of(leaders).stream()
                .map(one -> (Supplier<Optional<? extends Guard>>) () -> Optional.of(one))
                .toList());
    }

    private static Guard leading(long term) {
        return new Guard() {
            @Override
            public boolean holds() {
                return true;
            }

            @Override
            public void check() {
                // It holds.
            }

            @Override
            public FencingToken token() {
                return new FencingToken(term);
            }
        };
    }
}
