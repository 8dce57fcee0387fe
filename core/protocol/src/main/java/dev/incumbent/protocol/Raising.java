package dev.incumbent.protocol;

import dev.incumbent.model.EndReason;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.protocol.Tenure.Ending;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a winner owes before it leads: whoever may still act turned off, where that is asked; every guarded sink raised to its term, and every one of them in the record. */
final class Raising {
    private Raising() {}

    static void pursue(Draft draft) {
        draft.wake(draft.stopAt());
        StonithRules.giveUpTheSilent(draft);
        if (StonithRules.isDone(draft)) {
            raise(draft);
        }
    }

    private static void raise(Draft draft) {
        Tenure mine = draft.held();
        for (SinkId sink : draft.setup.sinks().keySet()) {
            if (!mine.sinks().raising().contains(sink) && !mine.sinks().raised().contains(sink)) {
                draft.emit(new Effect.RaiseMark(sink, Mark.of(mine.term())));
            }
        }
        Set<SinkId> raising = new TreeSet<>(draft.setup.sinks().keySet());
        raising.removeAll(mine.sinks().raised());
        draft.tenure = Optional.of(
                mine.sinks(raising, mine.sinks().raised(), mine.sinks().behind()));
        if (raising.isEmpty() && draft.attempt.isEmpty()) {
            recordThenBegin(draft);
        }
    }

    private static void recordThenBegin(Draft draft) {
        Set<SinkId> lacking = new TreeSet<>(draft.setup.sinks().keySet());
        lacking.removeAll(draft.record().sinks().keySet());
        lacking.removeAll(draft.record().retiredSinks());
        if (lacking.isEmpty()) {
            begin(draft);
        } else if (draft.isDue(draft.known.notBefore().swapAtNanos())) {
            addSinks(draft);
        }
    }

    /** Swaps in every sink that the record lacks, but for the retired ones. */
    static void addSinks(Draft draft) {
        LeaderRecord record = draft.record();
        Map<SinkId, String> all = new TreeMap<>(draft.setup.sinks());
        all.keySet().removeAll(record.retiredSinks());
        all.putAll(record.sinks());
        draft.swap(Attempt.Kind.ADD_SINKS, record.withSinks(all));
    }

    private static void begin(Draft draft) {
        Tenure mine = draft.held();
        List<PastTerm> history = draft.record().history();
        Optional<PastTerm> previous =
                history.isEmpty() ? Optional.empty() : Optional.of(history.get(history.size() - 1));
        draft.become(Role.LEADER, Set.of(Role.FENCING));
        draft.tenure = Optional.of(mine.task(new Tenure.Task(true, false, false, draft.now.nanos(), draft.now.wall())));
        draft.emit(new Effect.BeginTerm(mine.term(), previous));
    }

    static void raised(Draft draft, SinkId sink, Mark mark) {
        if (!isMine(draft, mark)) {
            return;
        }
        Tenure mine = draft.held();
        Set<SinkId> raising = new TreeSet<>(mine.sinks().raising());
        raising.remove(sink);
        Set<SinkId> raised = new TreeSet<>(mine.sinks().raised());
        raised.add(sink);
        draft.tenure = Optional.of(mine.sinks(raising, raised, mine.sinks().behind()));
        if (draft.role == Role.LEADER) {
            draft.tell(new Notice.RaisedAgain(sink, mine.term().number()));
        }
    }

    static void refused(Draft draft, SinkId sink, Mark asked, Mark inForce) {
        if (isMine(draft, asked)) {
            met(draft, sink, inForce);
        }
    }

    /** Not reached, or not in time: before leading it ends the term, afterwards it ends nothing. */
    static void unraised(Draft draft, SinkId sink, Mark asked, String why) {
        if (!isMine(draft, asked)) {
            return;
        }
        Tenure mine = draft.held();
        Set<SinkId> raising = new TreeSet<>(mine.sinks().raising());
        raising.remove(sink);
        draft.tenure = Optional.of(
                mine.sinks(raising, mine.sinks().raised(), mine.sinks().behind()));
        draft.tell(new Notice.SinkUnraised(sink, why));
        if (draft.role == Role.FENCING) {
            draft.end(EndReason.TASK_FAILED);
        }
    }

    /** A mark stands in the way. A candidate's heals the coordinator; a freeze's sets the flag again where the record knows the sink. */
    static void met(Draft draft, SinkId sink, Mark inForce) {
        draft.memory = draft.memory.met(inForce.token().value());
        boolean freeze = inForce.owner() instanceof MarkOwner.OfFreeze;
        boolean recorded = draft.record().sinks().containsKey(sink);
        Optional<Freeze> flag = freeze && recorded
                ? Optional.of(new Freeze(
                        ((MarkOwner.OfFreeze) inForce.owner()).who(),
                        "remembered by sink " + sink,
                        draft.now.wall(),
                        inForce.token().value()))
                : Optional.empty();
        Ending ending = draft.held().ending().met(new Tenure.Obstacle(inForce, sink, flag));
        draft.tenure = Optional.of(draft.held().ending(ending));
        if (flag.isPresent()) {
            draft.tell(new Notice.FreezeRemembered(sink, inForce));
        }
        draft.end(flag.isPresent() ? EndReason.FROZEN : EndReason.SUPERSEDED, flag.isPresent());
    }

    private static boolean isMine(Draft draft, Mark mark) {
        return (draft.role == Role.FENCING || draft.role == Role.LEADER)
                && mark.equals(Mark.of(draft.held().term()));
    }
}
