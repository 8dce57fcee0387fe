package dev.incumbent.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.HolderProof;
import dev.incumbent.model.Holders;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.protocol.Bounds.Fault;
import dev.incumbent.protocol.Explorer.Found;
import dev.incumbent.protocol.Worlds.Machine;
import java.time.Instant;
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

/** Where every process has a fence agent, whoever begins is alone, and nobody turns off who came after; a broken twin of the machine does. */
class StonithExplorationTest {
    private static final int MOST = 300_000;
    private static final Set<Fault> ALONE = Set.of(Fault.STONITH);

    /** Each is explored to its end. */
    static List<Bounds> worlds() {
        return List.of(new Bounds(2, false, true, 2, 0, ALONE), new Bounds(2, true, true, 2, 0, ALONE));
    }

    @ParameterizedTest
    @MethodSource("worlds")
    @Tag("trial")
    void whoeverBeginsIsAloneWhateverHappens(Bounds bounds) {
        Found found = explore(bounds, MOST, protocol -> protocol::step);

        assertThat(found.broken()).as("%s", found).isEmpty();
        assertThat(found.all()).as("%s was explored to its end", bounds).isTrue();
    }

    static List<Bounds> largerWorlds() {
        return List.of(
                new Bounds(2, false, true, 2, 1, Set.of(Fault.STONITH, Fault.CRASH, Fault.NEW_LEASE)),
                new Bounds(2, false, true, 2, 1, Set.of(Fault.STONITH, Fault.UNANSWERED)),
                new Bounds(2, false, true, 2, 1, Set.of(Fault.STONITH, Fault.RESIGN, Fault.FAIL, Fault.WITHDRAW)),
                new Bounds(3, true, true, 2, 1, Set.of(Fault.STONITH, Fault.CRASH)));
    }

    /** Too large to be explored to their ends here; nothing is found as far as it goes. */
    @ParameterizedTest
    @MethodSource("largerWorlds")
    void whoeverBeginsIsAloneAsFarAsItIsExplored(Bounds bounds) {
        Found found = explore(bounds, MOST / 16, protocol -> protocol::step);

        assertThat(found.broken()).as("%s", found).isEmpty();
    }

    @Test
    void whoBeginsWithoutAProofIsCaught() {
        Found found = explore(new Bounds(2, false, true, 2, 0, ALONE), MOST, StonithExplorationTest::withoutProof);

        assertThat(found.broken()).contains("NobodyBeginsBesideAHolder");
    }

    @Test
    void aDebtThatACleanLeaverDropsIsCaught() {
        Found found = explore(new Bounds(2, false, true, 3, 0, ALONE), MOST, StonithExplorationTest::withoutTheDebt);

        assertThat(found.broken()).contains("NobodyBeginsBesideAHolder");
    }

    @Test
    @Tag("trial")
    void anAgentThatStartsWithoutTheGuardIsCaught() {
        Bounds bounds = new Bounds(2, false, true, 3, 1, Set.of(Fault.STONITH, Fault.NEW_LEASE));

        Found found = explore(bounds, 2 * MOST, StonithExplorationTest::withoutTheGuard);

        assertThat(found.broken()).contains("NobodyTurnsOffWhoCameAfter");
    }

    private static Found explore(Bounds bounds, int most, Function<ElectionProtocol, Machine> twin) {
        long from = System.nanoTime();
        Found found = new Explorer<World>().explore(new Worlds(bounds, twin), most);
        System.out.printf(Locale.ROOT, "%s%n  %s%n  %.1f s%n", bounds, found, (System.nanoTime() - from) / 1e9);
        return found;
    }

    /** Takes every holder for off that it would have turned off. */
    private static Machine withoutProof(ElectionProtocol protocol) {
        HolderProof made = new HolderProof(HolderProof.Kind.OFF, "nobody", "", Instant.EPOCH);
        return (state, event, now) -> {
            Step<ElectionState, Effect> step = protocol.step(state, event, now);
            List<Effect> effects = new ArrayList<>(step.effects());
            for (Effect effect : step.effects()) {
                if (effect instanceof Effect.FenceHolder fence) {
                    effects.remove(effect);
                    step = protocol.step(
                            step.state(), new Event.HolderFenced(fence.holder().term(), made), now);
                    effects.addAll(step.effects());
                }
            }
            return new Step<>(step.state(), effects, step.wakeAtNanos());
        };
    }

    /** Whoever vacates forgets all holders, not only itself. */
    private static Machine withoutTheDebt(ElectionProtocol protocol) {
        return (state, event, now) -> {
            Step<ElectionState, Effect> step = protocol.step(state, event, now);
            Optional<Attempt> vacate = step.state().attempt().filter(a -> a.kind() == Attempt.Kind.VACATE);
            if (vacate.isEmpty() || vacate.equals(state.attempt())) {
                return step;
            }
            LeaderRecord forgetful = vacate.get().next().withHolders(Holders.NONE);
            Attempt a = vacate.get();
            Attempt changed = new Attempt(a.kind(), a.expected(), forgetful, a.sentAtNanos(), a.uncertainAtNanos());
            ElectionState s = step.state();
            ElectionState next = new ElectionState(
                    s.role(), s.standing(), s.lease(), s.known(), s.tenure(), Optional.of(changed), s.memory());
            List<Effect> effects = step.effects().stream()
                    .map(e ->
                            e instanceof Effect.SwapRecord swap ? new Effect.SwapRecord(swap.expected(), forgetful) : e)
                    .toList();
            return new Step<>(next, effects, step.wakeAtNanos());
        };
    }

    /** Gives its agents longer than the guard holds, as one does that looks at the clock too early. */
    private static Machine withoutTheGuard(ElectionProtocol protocol) {
        return (state, event, now) -> {
            Step<ElectionState, Effect> step = protocol.step(state, event, now);
            List<Effect> effects = step.effects().stream()
                    .map(e -> e instanceof Effect.FenceHolder f
                            ? new Effect.FenceHolder(f.holder(), f.untilNanos() + 4 * Worlds.SECOND)
                            : e)
                    .toList();
            return new Step<>(step.state(), effects, step.wakeAtNanos());
        };
    }
}
