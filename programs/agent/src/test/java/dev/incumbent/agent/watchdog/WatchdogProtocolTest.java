package dev.incumbent.agent.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.protocol.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is done to the device, event by event. Times are whatever unit. */
class WatchdogProtocolTest {
    private static final WatchKey A = new WatchKey("a", 7);
    private static final WatchKey B = new WatchKey("b", 3);

    private final List<String> lines = new ArrayList<>();
    private WatchdogState state = WatchdogState.EMPTY;

    @Test
    void itCountsOnceSomebodyWantsItAndIsStoppedOnceThatOneHasStopped() {
        found().did();

        after(new WatchdogEvent.Wanted(A, 140)).did("remembers a", "counts until 140");
        after(new WatchdogEvent.Counts(133)).did("guards a until 133");
        after(new WatchdogEvent.Stopped(A)).did("forgets a", "stops");
        after(new WatchdogEvent.DeviceStopped()).did();
    }

    @Test
    void itIsFedAfterEachRenewalAndNoOftener() {
        counting(A, 140, 133);

        after(new WatchdogEvent.Renewed(A, 190)).did("counts until 190");
        after(new WatchdogEvent.Renewed(A, 190)).did();
        after(new WatchdogEvent.Counts(185)).did("guards a until 185");
        after(new WatchdogEvent.Renewed(A, 190)).did();
    }

    @Test
    void aRenewalThatCameWhileItWasFedFeedsItAgain() {
        counting(A, 140, 133);

        after(new WatchdogEvent.Renewed(A, 190)).did("counts until 190");
        after(new WatchdogEvent.Renewed(A, 240)).did();
        after(new WatchdogEvent.Counts(185)).did("guards a until 185", "counts until 240");
    }

    @Test
    void itFiresBeforeTheShortestLeadershipEnds() {
        counting(A, 140, 133);

        after(new WatchdogEvent.Wanted(B, 100)).did("remembers b", "counts until 100");
        after(new WatchdogEvent.Counts(95)).did("guards a until 95", "guards b until 95");
        after(new WatchdogEvent.Renewed(A, 190)).did("counts until 100");
    }

    @Test
    void aNewcomerWhoseLeadershipLastsLongerIsGuardedWithoutFeeding() {
        counting(A, 140, 133);

        after(new WatchdogEvent.Wanted(B, 134)).did("remembers b", "guards b until 133");
    }

    @Test
    void itIsNotFedWhileWorkThatMustStopHasNot() {
        counting(A, 140, 133);
        after(new WatchdogEvent.Wanted(B, 150)).did("remembers b", "guards b until 133");

        after(new WatchdogEvent.Ends(A)).did();
        after(new WatchdogEvent.Renewed(B, 190)).did();
        after(new WatchdogEvent.Renewed(A, 190)).did();
        after(new WatchdogEvent.Stopped(A)).did("forgets a", "counts until 190");
    }

    @Test
    void workThatEndsBeforeItBeganNeedsNoDevice() {
        found();
        after(new WatchdogEvent.Wanted(A, 140)).did("remembers a", "counts until 140");

        after(new WatchdogEvent.Ends(A)).did("forgets a");
        after(new WatchdogEvent.Counts(133)).did("stops");
    }

    @Test
    void whoCannotBeGuardedIsTold() {
        found();
        after(new WatchdogEvent.Wanted(A, 140)).did("remembers a", "counts until 140");

        after(new WatchdogEvent.Failed(OptionalLong.empty(), "no")).did("a unguarded: no", "forgets a");
        assertThat(state.watched()).isEmpty();
    }

    @Test
    void whoWasGuardedIsToldIfTheDeviceFiresTooLate() {
        counting(A, 140, 133);
        after(new WatchdogEvent.Renewed(A, 190)).did("counts until 190");

        after(new WatchdogEvent.Failed(OptionalLong.of(200), "no")).did("guards a until 200", "a unguarded: no");
        after(new WatchdogEvent.Renewed(A, 250)).did();
        after(new WatchdogEvent.Stopped(A)).did("forgets a", "stops");
    }

    @Test
    void aFeedingThatFailedLeavesWhatCountsUntilTheNextRenewal() {
        counting(A, 140, 133);
        after(new WatchdogEvent.Renewed(A, 190)).did("counts until 190");

        after(new WatchdogEvent.Failed(OptionalLong.of(133), "short")).did("guards a until 133");
        after(new WatchdogEvent.Renewed(A, 200)).did("counts until 200");
    }

    @Test
    void whatAnAgentFindsIsNotFed() {
        after(new WatchdogEvent.Found(OptionalLong.of(133), List.of(A))).did();

        after(new WatchdogEvent.Renewed(A, 190)).did();
        after(new WatchdogEvent.Wanted(B, 150)).did("remembers b", "guards b until 133");
        after(new WatchdogEvent.Renewed(B, 200)).did();
        after(new WatchdogEvent.Stopped(A)).did("forgets a", "counts until 200");
    }

    @Test
    void whoWasRenewedIsFedOnceTheOneHasStoppedWhoseLeadershipEndsFirst() {
        counting(A, 140, 133);
        after(new WatchdogEvent.Wanted(B, 150)).did("remembers b", "guards b until 133");
        after(new WatchdogEvent.Renewed(B, 190)).did("counts until 140");
        after(new WatchdogEvent.Counts(133)).did("guards a until 133", "guards b until 133");

        after(new WatchdogEvent.Ends(A)).did();
        after(new WatchdogEvent.Stopped(A)).did("forgets a", "counts until 190");
        after(new WatchdogEvent.Failed(OptionalLong.of(133), "no")).did("guards b until 133");
        after(new WatchdogEvent.Renewed(B, 190)).did();
    }

    @Test
    void whoStandsAfterATakeoverIsFedOnceThoseOfBeforeHaveStopped() {
        after(new WatchdogEvent.Found(OptionalLong.of(133), List.of(A))).did();

        after(new WatchdogEvent.Wanted(B, 150)).did("remembers b", "guards b until 133");
        after(new WatchdogEvent.Stopped(A)).did("forgets a", "counts until 150");
    }

    @Test
    void whoStandsAfterATakeoverIsNotFedWhereThatWouldWinNoTime() {
        after(new WatchdogEvent.Found(OptionalLong.of(133), List.of(A))).did();

        after(new WatchdogEvent.Wanted(B, 133)).did("remembers b", "guards b until 133");
        after(new WatchdogEvent.Stopped(A)).did("forgets a");
    }

    @Test
    void whatAnAgentFindsWithoutWorkIsStopped() {
        after(new WatchdogEvent.Found(OptionalLong.of(133), List.of())).did("stops");
    }

    @Test
    void withoutItsHolderItGuardsNobody() {
        counting(A, 140, 133);

        after(new WatchdogEvent.HolderGone("gone")).did("a unguarded: gone");
        after(new WatchdogEvent.Wanted(B, 150)).did("b unguarded: gone");
    }

    @Test
    void itGuardsNoMoreThanItsHolderRemembers() {
        found();
        for (int i = 0; i < 64; i++) {
            after(new WatchdogEvent.Wanted(new WatchKey("o" + i, 1), 140));
        }
        lines.clear();

        after(new WatchdogEvent.Wanted(A, 140))
                .did("a unguarded: it guards the work of 64 owners already, and guards no more");
    }

    private void counting(WatchKey key, long until, long fires) {
        found();
        after(new WatchdogEvent.Wanted(key, until));
        after(new WatchdogEvent.Counts(fires));
        lines.clear();
    }

    private WatchdogProtocolTest found() {
        return after(new WatchdogEvent.Found(OptionalLong.empty(), List.of()));
    }

    private WatchdogProtocolTest after(WatchdogEvent event) {
        Step<WatchdogState, WatchdogEffect> step = WatchdogProtocol.step(state, event);
        state = step.state();
        step.effects().forEach(effect -> lines.add(line(effect)));
        return this;
    }

    private void did(String... expected) {
        assertThat(lines).containsExactly(expected);
        lines.clear();
    }

    private static String line(WatchdogEffect effect) {
        if (effect instanceof WatchdogEffect.Count e) {
            return "counts until " + e.untilNanos();
        } else if (effect instanceof WatchdogEffect.Remember e) {
            return "remembers " + e.key().owner();
        } else if (effect instanceof WatchdogEffect.Forget e) {
            return "forgets " + e.key().owner();
        } else if (effect instanceof WatchdogEffect.Guards e) {
            return "guards " + e.key().owner() + " until " + e.firesAtNanos();
        } else if (effect instanceof WatchdogEffect.Unguarded e) {
            return e.key().owner() + " unguarded: " + e.why();
        }
        return "stops";
    }
}
