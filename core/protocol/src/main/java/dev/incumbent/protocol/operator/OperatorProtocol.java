package dev.incumbent.protocol.operator;

import dev.incumbent.model.Cordon;
import dev.incumbent.model.Feature;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Sorted;
import dev.incumbent.protocol.Features;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The machine of the operations of an operator: same state, event and moment, same step.
 *
 * <p>An operation is a talk with the coordinator, one question at a time, and where there are sinks one with each of them at once. A swap that was
 * refused or not answered is settled by a read that leaves after it: the record bears what this operation writes, which bears its {@code who}, or the
 * swap is made again on what was read. Watches are hints; only reads decide.
 *
 * <pre>
 * ask     look → (who is enlisted) → swap the request in → wait until the term is over, or take the request back
 * freeze  swap the flag in → read every mark → swap again where a mark is above the flag's number → raise every sink to that number
 *         ‖ wait until nobody leads (and it is quiet)
 * thaw    read every mark → read the record → raise every sink to one number, each by the mark it saw → swap the flag out
 * forget  swap the sink among the retired, or out of them
 * cordon  swap the cordon in, or out
 * confirm swap the holder out, and the confirmation into the history
 * plan    (who is enlisted) → swap the planned transfer in, or out
 * </pre>
 */
public final class OperatorProtocol {
    private final Set<Feature> supported;

    /** A machine of this version; it has no state of its own. */
    public OperatorProtocol() {
        this(Features.KNOWN);
    }

    /** A machine that knows these features; it writes no record that requires another one. */
    public OperatorProtocol(Set<Feature> supported) {
        this.supported = Sorted.copyOf(supported);
    }

    /** Transfers the leadership of the term under way to a candidate, by id or by a name that one candidate alone bears. */
    public static OperatorState transferTo(String who, String successor, Duration timeout) {
        return AskState.transferTo(who, successor, timeout);
    }

    /** Has whoever leads then hand over to a candidate, by id or by a name that one candidate alone bears then; {@code who} is unique for each planning. */
    public static OperatorState planTransfer(String who, String successor, Instant notBefore) {
        return PlanState.of(new PlannedTransfer(who, successor, notBefore, Instant.EPOCH));
    }

    /** Takes back what {@link #planTransfer} planned. */
    public static OperatorState cancelTransfer(String who) {
        return PlanState.cancelling(who);
    }

    /** Has the leader of the term under way resign. */
    public static OperatorState resign(String who, Duration timeout) {
        return AskState.resign(who, timeout);
    }

    /**
     * Stops all leadership.
     *
     * @param who unique for each freeze; the owner of the marks that it leaves
     * @param sinks the labels of the sinks given
     * @param closeWithin how long sinks that do not answer are asked again
     * @param untilQuiet wait not only until nobody leads on record, but until nobody can believe to
     */
    public static OperatorState freeze(
            String who, String why, List<String> sinks, Duration closeWithin, boolean untilQuiet) {
        return FreezeState.of(who, new FreezeState.Aim(why, closeWithin, untilQuiet), GivenSinks.labelled(sinks));
    }

    /** Allows leadership again, above every mark; {@code who} is unique for each thaw. */
    public static OperatorState thaw(String who, List<String> sinks, Duration raiseWithin) {
        return ThawState.of(who, raiseWithin, GivenSinks.labelled(sinks));
    }

    /**
     * Has all candidates of that host or name, or that one, stand behind the others.
     *
     * @param who unique for each cordon; the record remembers it
     */
    public static OperatorState cordon(String who, String whom, String why) {
        return CordonState.of(new Cordon(whom, who, why, Instant.EPOCH), false);
    }

    /** Takes the cordon of exactly that host, name or id back. */
    public static OperatorState uncordon(String who, String whom) {
        return CordonState.of(new Cordon(whom, who, "", Instant.EPOCH), true);
    }

    /**
     * Confirms that the holder of that term, which ran on that node, acts no more.
     *
     * @param who unique for each confirmation; the history remembers it
     */
    public static OperatorState confirm(String who, String node, long term, String why) {
        return ConfirmState.of(who, node, term, why);
    }

    /** Retires a sink. */
    public static OperatorState retireSink(String who, SinkId sink) {
        return RetireState.of(who, sink, false);
    }

    /** Takes the retiring of a sink back. */
    public static OperatorState reinstateSink(String who, SinkId sink) {
        return RetireState.of(who, sink, true);
    }

    /** One step. */
    public Step<OperatorState, OperatorEffect> step(OperatorState state, OperatorEvent event, Moment now) {
        if (state instanceof AskState ask) {
            Turn turn = new Turn(ask.talk(), supported, now);
            return taken(turn, AskRules.step(ask, event, turn));
        }
        if (state instanceof FreezeState freeze) {
            Turn turn = new Turn(freeze.talk(), supported, now);
            return taken(turn, FreezeRules.step(freeze, event, turn));
        }
        if (state instanceof ThawState thaw) {
            Turn turn = new Turn(thaw.talk(), supported, now);
            return taken(turn, ThawRules.step(thaw, event, turn));
        }
        if (state instanceof CordonState cordon) {
            Turn turn = new Turn(cordon.talk(), supported, now);
            return taken(turn, CordonRules.step(cordon, event, turn));
        }
        if (state instanceof ConfirmState confirm) {
            Turn turn = new Turn(confirm.talk(), supported, now);
            return taken(turn, ConfirmRules.step(confirm, event, turn));
        }
        if (state instanceof PlanState plan) {
            Turn turn = new Turn(plan.talk(), supported, now);
            return taken(turn, PlanTransferRules.step(plan, event, turn));
        }
        if (state instanceof RetireState forget) {
            Turn turn = new Turn(forget.talk(), supported, now);
            return taken(turn, RetireRules.step(forget, event, turn));
        }
        return new Step<>(state, List.of(), Step.NEVER);
    }

    private static Step<OperatorState, OperatorEffect> taken(Turn turn, OperatorState next) {
        OperatorState state = turn.outcome().<OperatorState>map(Concluded::new).orElse(next);
        return new Step<>(state, turn.effects(), state.wakeAtNanos());
    }
}
