package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.quorum.Ascent.Report;
import dev.incumbent.quorum.Ascent.Step;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When the level may rise, in every order of what may happen before. */
final class AscentTest {
    private static final Set<String> VOTERS = Set.of("n1.d1", "n2.d2", "n3.d3");

    private final Ascent ascent = new Ascent();

    @Test
    void itRisesOnceEveryVoterSupportsItAndEveryDiskIsBound() {
        ascent.configured(VOTERS);
        report(supporting("n1.d1", 1), supporting("n2.d2", 1), supporting("n3.d3", 1));
        assertThat(ascent.next(0)).isInstanceOfSatisfying(Step.Bind.class, bind -> {
            assertThat(bind.level()).isEqualTo(1);
            assertThat(bind.disks()).extracting(Report::voter).containsExactlyInAnyOrderElementsOf(VOTERS);
        });

        report(bound("n1.d1", 1), bound("n2.d2", 1));
        assertThat(ascent.next(0))
                .isInstanceOfSatisfying(
                        Step.Bind.class,
                        bind -> assertThat(bind.disks())
                                .extracting(Report::voter)
                                .containsExactly("n3.d3"));
        report(bound("n3.d3", 1));

        assertThat(ascent.next(0)).isEqualTo(new Step.Raise(1));
    }

    @Test
    void aVoterThatWasNeverHeardHoldsItBack() {
        ascent.configured(VOTERS);
        report(bound("n1.d1", 1), bound("n2.d2", 1));

        assertWaits("[n3.d3] have not said");
    }

    @Test
    void aReportThatIsLostHoldsItBack() {
        ascent.configured(VOTERS);
        report(bound("n1.d1", 1), bound("n2.d2", 1), bound("n3.d3", 1));
        ascent.silent("n2.d2");

        assertWaits("[n2.d2] have not said");

        report(bound("n2.d2", 1));
        assertThat(ascent.next(0)).isEqualTo(new Step.Raise(1));
    }

    @Test
    void aVoterOfAnOlderBuildHoldsItBackBeforeAnyDiskIsBound() {
        ascent.configured(VOTERS);
        report(supporting("n1.d1", 1), supporting("n2.d2", 0), supporting("n3.d3", 1));

        assertWaits("[n2.d2] support none above 0");
    }

    /** Told between the report of its newer build and the rise. */
    @Test
    void aNodeThatIsStartedAgainWithAnOlderBuildHoldsItBack() {
        ascent.configured(VOTERS);
        report(supporting("n1.d1", 1), supporting("n2.d2", 1), supporting("n3.d3", 1));
        assertThat(ascent.next(0)).isInstanceOf(Step.Bind.class);
        report(bound("n1.d1", 1), new Report("n2.d2", "another start", 0, 0), bound("n3.d3", 1));

        assertWaits("[n2.d2] support none above 0");
    }

    @Test
    void whatAnotherStartPromisedAndDidNotDoCountsNot() {
        ascent.configured(VOTERS);
        report(bound("n1.d1", 1), supporting("n2.d2", 1), bound("n3.d3", 1));
        report(new Report("n2.d2", "another start", 1, 0));

        assertThat(ascent.next(0))
                .isInstanceOfSatisfying(
                        Step.Bind.class,
                        bind -> assertThat(bind.disks()).containsExactly(new Report("n2.d2", "another start", 1, 0)));
    }

    @Test
    void aDiskThatCameInTheMeantimeIsAskedItself() {
        ascent.configured(VOTERS);
        report(bound("n1.d1", 1), bound("n2.d2", 1), bound("n3.d3", 1));

        ascent.configured(Set.of("n1.d1", "n2.d2", "n3.other"));

        assertWaits("[n3.other] have not said");
    }

    @Test
    void whoIsNoVoterHoldsNothingBackAndCountsForNothing() {
        ascent.configured(VOTERS);
        report(bound("n1.d1", 1), bound("n2.d2", 1), supporting("n9.d9", 0));
        assertWaits("[n3.d3] have not said");

        report(bound("n3.d3", 1));
        assertThat(ascent.next(0)).isEqualTo(new Step.Raise(1));
    }

    @Test
    void aVoterThatLeftHoldsNothingBack() {
        ascent.configured(VOTERS);
        report(bound("n1.d1", 1), bound("n2.d2", 1), supporting("n3.d3", 0));
        ascent.configured(Set.of("n1.d1", "n2.d2", "n3.new"));
        report(bound("n3.new", 1));

        assertThat(ascent.next(0)).isEqualTo(new Step.Raise(1));
    }

    @Test
    void aChangeOfTheMembershipAndARiseExcludeOneAnother() {
        ascent.configured(VOTERS);
        report(bound("n1.d1", 1), bound("n2.d2", 1), bound("n3.d3", 1));
        assertThat(ascent.changes()).isTrue();
        assertThat(ascent.changes()).isTrue();
        ascent.changed();
        assertWaits("the membership is changing");
        ascent.changed();

        assertThat(ascent.next(0)).isEqualTo(new Step.Raise(1));
        assertThat(ascent.changes()).isFalse();
        assertWaits("the level is rising");

        ascent.risen();
        assertThat(ascent.changes()).isTrue();
    }

    @Test
    void aLeadershipKnowsNothingOfTheOneBefore() {
        ascent.configured(VOTERS);
        report(bound("n1.d1", 1), bound("n2.d2", 1), bound("n3.d3", 1));
        ascent.follows();
        assertWaits("does not lead");

        ascent.configured(VOTERS);
        assertWaits("[n1.d1, n2.d2, n3.d3] have not said");
    }

    @Test
    void itRisesToTheHighestLevelThatAllSupportAndNoFurther() {
        ascent.configured(VOTERS);
        report(new Report("n1.d1", "s", 5, 3), new Report("n2.d2", "s", 3, 3), new Report("n3.d3", "s", 4, 4));

        assertThat(ascent.next(2)).isEqualTo(new Step.Raise(3));
        ascent.risen();
        assertThat(ascent.next(3)).isInstanceOf(Step.Wait.class);
    }

    private void assertWaits(String why) {
        assertThat(ascent.next(0))
                .isInstanceOfSatisfying(
                        Step.Wait.class, wait -> assertThat(wait.why()).contains(why));
    }

    private void report(Report... reports) {
        Arrays.asList(reports).forEach(ascent::reported);
    }

    private static Report supporting(String voter, int level) {
        return new Report(voter, "start of " + voter, level, 0);
    }

    private static Report bound(String voter, int level) {
        return new Report(voter, "start of " + voter, level, level);
    }
}
