package dev.incumbent.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.protocol.Bounds.Fault;
import dev.incumbent.protocol.Explorer.Found;
import dev.incumbent.protocol.Worlds.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every situation that the shipped machine can come into, within bounds, keeps the invariants; a broken twin of it does not, and the shortest way there is told. */
class ExplorationTest {
    private static final int MOST = 300_000;

    /** Each is explored to its end. */
    static List<Bounds> worlds() {
        return List.of(
                new Bounds(2, true, false, 1, 0, Set.of()),
                new Bounds(2, true, true, 2, 0, Set.of()),
                new Bounds(3, true, true, 1, 0, Set.of()),
                new Bounds(2, true, true, 1, 1, Set.of(Fault.UNANSWERED)),
                new Bounds(2, true, true, 1, 1, Set.of(Fault.CRASH, Fault.NEW_LEASE, Fault.SLOW)),
                new Bounds(2, true, true, 1, 1, Set.of(Fault.RESIGN, Fault.FAIL, Fault.WITHDRAW, Fault.TRANSFER)),
                new Bounds(2, false, true, 1, 1, Set.of(Fault.RESIGN, Fault.FAIL, Fault.WITHDRAW, Fault.TRANSFER)),
                new Bounds(2, true, true, 1, 2, Set.of(Fault.FREEZE)),
                new Bounds(2, true, true, 1, 1, Set.of(Fault.SUSPECT)),
                new Bounds(2, false, true, 1, 1, Set.of(Fault.SUSPECT)));
    }

    @ParameterizedTest
    @MethodSource("worlds")
    @Tag("trial")
    void everyInvariantHoldsWhateverHappens(Bounds bounds) {
        Found found = explore(bounds, protocol -> protocol::step);

        assertThat(found.broken()).as("%s", found).isEmpty();
        assertThat(found.all()).as("%s was explored to its end", bounds).isTrue();
    }

    static List<Bounds> largerWorlds() {
        return List.of(
                new Bounds(2, true, true, 2, 1, Set.of(Fault.RESTORE)),
                new Bounds(2, true, true, 1, 2, Set.of(Fault.SUSPECT, Fault.FREEZE)));
    }

    /** Too large to be explored to their ends here; nothing is found as far as it goes. After a restore not every invariant is asked for. */
    @ParameterizedTest
    @MethodSource("largerWorlds")
    void everyInvariantHoldsAsFarAsItIsExplored(Bounds bounds) {
        Found found = new Explorer<World>().explore(new Worlds(bounds, protocol -> protocol::step), MOST / 4);

        assertThat(found.broken()).as("%s", found).isEmpty();
    }

    @Test
    void whoBeginsBeforeTheRaiseIsCaught() {
        Bounds bounds = new Bounds(2, true, false, 1, 0, Set.of());

        Found found = explore(bounds, ExplorationTest::withoutRaise);

        assertThat(found.broken()).contains("NothingStaleAfterTheRaise");
    }

    @Test
    void validityCountedFromTheReplyIsCaught() {
        Bounds bounds = new Bounds(2, true, true, 1, 1, Set.of(Fault.SLOW));

        Found found = explore(
                bounds,
                protocol -> (state, event, now) -> protocol.step(
                        state,
                        event instanceof Event.LeaseRenewed e ? new Event.LeaseRenewed(e.lease(), now.nanos()) : event,
                        now));

        assertThat(found.broken()).contains("NoLeaderBeyondItsLease");
    }

    @Test
    void anUncertainSwapTakenForWonIsCaught() {
        Bounds bounds = new Bounds(2, true, false, 1, 1, Set.of(Fault.UNANSWERED));

        Found found = explore(
                bounds,
                protocol -> (state, event, now) -> protocol.step(
                        state,
                        event instanceof Event.SwapUncertain e
                                ? new Event.SwapAccepted(
                                        e.nonce(), state.attempt().orElseThrow().expected())
                                : event,
                        now));

        assertThat(found.broken()).isPresent();
    }

    @Test
    void aClaimThatIsNotDisownedIsCaught() {
        Bounds bounds = new Bounds(2, true, false, 1, 1, Set.of(Fault.WITHDRAW));

        Found found = explore(bounds, ExplorationTest::withoutDisown);

        assertThat(found.broken()).contains("WhoIsNamedHoldsOrDisowns");
    }

    /** It takes every suspicion for one of a leader that it has heard. */
    @Test
    void aLeaderThatIsPreemptedUnheardIsCaught() {
        Bounds bounds = new Bounds(2, true, true, 1, 1, Set.of(Fault.SUSPECT));

        Found found = explore(bounds, ExplorationTest::withoutHearing);

        assertThat(found.broken()).contains("OnlyTheOwnerEndsItsTerm");
    }

    @Test
    void aVacancyUnderARunningTaskIsCaught() {
        Bounds bounds = new Bounds(2, false, true, 1, 1, Set.of(Fault.RESIGN));

        Found found = explore(bounds, ExplorationTest::withoutWaitingForTheTask);

        assertThat(found.broken()).contains("NoUnfencedVacancyWhileTheTaskRuns");
    }

    private static Found explore(Bounds bounds, Function<ElectionProtocol, Machine> twin) {
        long from = System.nanoTime();
        Found found = new Explorer<World>().explore(new Worlds(bounds, twin), MOST);
        double seconds = (System.nanoTime() - from) / 1e9;
        System.out.printf(
                Locale.ROOT, "%s%n  %s%n  %.1f s, %.0f states/s%n", bounds, found, seconds, found.states() / seconds);
        return found;
    }

    /** Takes every sink for raised that it would have asked. */
    private static Machine withoutRaise(ElectionProtocol protocol) {
        return (state, event, now) -> {
            Step<ElectionState, Effect> step = protocol.step(state, event, now);
            List<Effect> effects = new ArrayList<>(step.effects());
            for (Effect effect : step.effects()) {
                if (effect instanceof Effect.RaiseMark raise) {
                    effects.remove(effect);
                    step = protocol.step(step.state(), new Event.MarkRaised(raise.sink(), raise.mark()), now);
                    effects.addAll(step.effects());
                }
            }
            return new Step<>(step.state(), effects, step.wakeAtNanos());
        };
    }

    /** Forgets the swap of a disown before it is sent. */
    private static Machine withoutDisown(ElectionProtocol protocol) {
        return (state, event, now) -> {
            Step<ElectionState, Effect> step = protocol.step(state, event, now);
            ElectionState s = step.state();
            if (s.attempt().filter(a -> a.kind() == Attempt.Kind.DISOWN).isEmpty()) {
                return step;
            }
            ElectionState forgotten = new ElectionState(
                    s.role(), s.standing(), s.lease(), s.known(), s.tenure(), Optional.empty(), s.memory());
            List<Effect> effects = step.effects().stream()
                    .filter(e -> !(e instanceof Effect.SwapRecord))
                    .toList();
            return new Step<>(forgotten, effects, step.wakeAtNanos());
        };
    }

    private static Machine withoutHearing(ElectionProtocol protocol) {
        return (state, event, now) -> {
            Heard heard = event instanceof Event.LeaderSuspected s
                    ? Heard.NOBODY.by(s.leader(), s.term(), 0)
                    : state.memory().terms().heard();
            Memory.Terms terms = state.memory().terms();
            Step<ElectionState, Effect> step = protocol.step(
                    state.remembering(new Memory(
                            new Memory.Terms(terms.greatestWon(), terms.greatestMet(), heard),
                            state.memory().nonces(),
                            state.memory().unsettled(),
                            state.memory().patience(),
                            state.memory().healings())),
                    event,
                    now);
            Memory after = step.state().memory();
            Memory unheard = new Memory(
                    new Memory.Terms(after.terms().greatestWon(), after.terms().greatestMet(), terms.heard()),
                    after.nonces(),
                    after.unsettled(),
                    after.patience(),
                    after.healings());
            return new Step<>(step.state().remembering(unheard), step.effects(), step.wakeAtNanos());
        };
    }

    /** Takes a task for returned once it was told to stop. */
    private static Machine withoutWaitingForTheTask(ElectionProtocol protocol) {
        return (state, event, now) -> {
            Step<ElectionState, Effect> step = protocol.step(state, event, now);
            for (Effect effect : step.effects()) {
                if (effect instanceof Effect.InterruptTask interrupt) {
                    List<Effect> effects = new ArrayList<>(step.effects());
                    step = protocol.step(
                            step.state(),
                            new Event.TaskReturned(interrupt.term().number(), Event.TaskOutcome.RETURNED),
                            now);
                    effects.addAll(step.effects());
                    return new Step<>(step.state(), effects, step.wakeAtNanos());
                }
            }
            return step;
        };
    }
}
