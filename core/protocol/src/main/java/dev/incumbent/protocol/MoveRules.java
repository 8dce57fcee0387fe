package dev.incumbent.protocol;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.RankMove;
import dev.incumbent.model.Turns;
import dev.incumbent.protocol.Tenure.CatchUp;
import dev.incumbent.protocol.Tenure.Handover;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a leader hands over to a candidate of a better rank, by itself: only where its program wants that, only to the strictly better, not before its term has lasted that
 * long, and once for each change of what the ranks depend on, whoever leads. So the record bears the last move or transfer, and what the ranks depended on then. While nothing
 * of that has changed there is no other move, whether the successor led or not; once its successor has led for a lease, a change forgets it, so that the same
 * candidates may come to the same order again.
 */
final class MoveRules {
    private static final long UNKNOWN = -1;

    private MoveRules() {}

    static void pursue(Draft draft) {
        Optional<Duration> after = draft.setup.succession().movesAfter();
        if (after.isEmpty() || !mayMove(draft)) {
            return;
        }
        Optional<RankMove> tried = draft.held().handover().move();
        if (tried.isPresent()) {
            writeDown(draft, tried.get());
        } else if (draft.isDue(draft.known.notBefore().movesAtNanos())) {
            look(draft, after.get());
        }
    }

    /** Only the leader that the record names, and not while an operator has a say in who leads. */
    private static boolean mayMove(Draft draft) {
        Handover handover = draft.held().handover();
        LeaderRecord record = draft.record();
        return draft.namesMyTerm(record)
                && !record.isFrozen()
                && record.planned().isEmpty()
                && record.request()
                        .filter(one -> one.term() == draft.held().term().number())
                        .isEmpty()
                && handover.successor().isEmpty()
                && handover.wished().isEmpty();
    }

    /** It was given up: not tried again until something changes. */
    private static void writeDown(Draft draft, RankMove tried) {
        if (draft.record().moved().equals(Optional.of(tried))) {
            draft.tenure =
                    Optional.of(draft.held().handover(draft.held().handover().moving(Optional.empty())));
        } else {
            swap(draft, Optional.of(tried));
        }
    }

    /** Once a lease, who stands is asked for. */
    private static void look(Draft draft, Duration after) {
        if (draft.known.line().isEmpty()) {
            Leading.askForTheLine(draft);
            return;
        }
        List<Enlisted> line = draft.known.line().get();
        long next = draft.now.nanos() + draft.setup.timing().lease().toNanos();
        String inputs = Turns.of(draft.record()).inputs(line);
        Optional<RankMove> last = draft.record().moved();
        boolean isSame = last.filter(move -> move.inputs().equals(inputs)).isPresent();
        if (isSame) {
            noteThatItLasted(draft, last.get());
        } else if (last.filter(RankMove::lasted).isPresent()) {
            swap(draft, Optional.empty());
        } else if (draft.isDue(draft.held().won().atNanos() + after.toNanos())) {
            move(draft, line, inputs);
        }
        if (draft.held().handover().successor().isEmpty()) {
            draft.known = draft.known.lined(Optional.empty(), false).looksForBetterAt(next);
            draft.wake(next);
            setTheGoal(draft);
        }
    }

    private static void noteThatItLasted(Draft draft, RankMove last) {
        long lease = draft.setup.timing().lease().toNanos();
        boolean lasts = draft.now.nanos() - draft.held().won().atNanos() >= lease;
        if (lasts && !last.lasted() && last.isTo(draft.me())) {
            swap(draft, Optional.of(last.havingLasted()));
        }
    }

    private static void move(Draft draft, List<Enlisted> line, String inputs) {
        long goal = goal(draft);
        Optional<CandidateId> better = Turns.of(draft.record()).betterThan(draft.me(), line).stream()
                .filter(one -> couldLead(draft.record(), one))
                .map(Enlisted::candidate)
                .filter(one -> one.position().orElse(UNKNOWN) >= goal)
                .map(Candidate::id)
                .findFirst();
        if (better.isPresent()) {
            draft.known = draft.known.lined(Optional.empty(), false);
            Leading.begin(draft, better.get(), Handover.MOVE, inputs);
        }
    }

    /**
     * How far the better one must have come: as this leader had when it looked last. Nothing stops for a move meanwhile, so it takes the time that it takes. Where the leader tells a
     * position, whoever tells none is behind, since a fresh process has told none yet.
     */
    private static long goal(Draft draft) {
        long mine = draft.standing.position().reached();
        return draft.held()
                .handover()
                .catchUp()
                .filter(wait -> wait.requestId().equals(Handover.MOVE))
                .map(wait -> Math.min(mine, wait.position()))
                .orElse(mine);
    }

    /** For the next look. */
    private static void setTheGoal(Draft draft) {
        long mine = draft.standing.position().reached();
        Optional<CatchUp> next = mine == UNKNOWN
                ? Optional.empty()
                : Optional.of(new CatchUp(Handover.MOVE, mine, Step.NEVER, Long.MIN_VALUE));
        draft.tenure = Optional.of(draft.held().handover(draft.held().handover().awaiting(next)));
    }

    private static boolean couldLead(LeaderRecord record, Enlisted one) {
        return one.sinks().containsAll(record.sinks().keySet())
                && one.supports().containsAll(record.requires());
    }

    private static void swap(Draft draft, Optional<RankMove> moved) {
        if (draft.isDue(draft.known.notBefore().swapAtNanos())) {
            draft.swap(Attempt.Kind.NOTE_MOVE, draft.record().withMoved(moved));
        }
    }
}
