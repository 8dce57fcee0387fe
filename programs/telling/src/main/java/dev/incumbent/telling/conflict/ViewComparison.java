package dev.incumbent.telling.conflict;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.telling.conflict.Conflict.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares the views of one election: of the term that is held at most one conflict, and of each sink at most one. Pure. */
public final class ViewComparison {
    private final ElectionViews views;
    private final LeaderRecord record;
    private final List<Conflict> found = new ArrayList<>();

    private ViewComparison(ElectionViews views) {
        this.views = views;
        this.record = views.record();
    }

    /** The conflicts among these views; none where the record could not be read. */
    public static List<Conflict> of(ElectionViews views) {
        if (!views.isRead()) {
            return List.of();
        }
        ViewComparison comparison = new ViewComparison(views);
        views.held().ifPresent(comparison::compareHeld);
        views.sinks().forEach(comparison::compareSink);
        views.met().ifPresent(comparison::tellMet);
        views.stale().ifPresent(comparison::tellStale);
        return List.copyOf(comparison.found);
    }

    private void compareHeld(Term held) {
        Optional<Candidate> leader =
                record.leader().filter(one -> views.observed().leaseAlive());
        boolean isNamed = record.names(held.leader().id(), held.number());
        if (record.term() < held.number()) {
            conflict(ConflictKind.RECORD_WENT_BACK, "", List.of(holding(held), onRecord()), true);
        } else if (!isNamed && leader.isPresent()) {
            conflict(ConflictKind.TWO_LEADERS, "", List.of(holding(held), onRecord()), true);
        } else if (leader.isEmpty()) {
            conflict(ConflictKind.LEADER_WITHOUT_LEASE, "", List.of(holding(held), onRecord()), true);
        }
    }

    private void compareSink(SinkId id, SinkView sink) {
        if (record.retiredSinks().contains(id)) {
            return;
        }
        if (sink.unreadable().isPresent()) {
            List<Evidence> evidence = List.of(
                    new Evidence("sink " + sink.label(), sink.unreadable().get()), onRecord());
            conflict(ConflictKind.MARK_UNREADABLE, id.value(), evidence, true);
        } else if (record.freeze().isPresent()) {
            compareFrozen(id, sink, record.freeze().get());
        } else {
            compareThawed(id, sink);
        }
    }

    /** A freeze sets the flag, then raises the sinks. */
    private void compareFrozen(SinkId id, SinkView sink, Freeze freeze) {
        boolean isClosed = sink.mark().filter(ViewComparison::isOfFreeze).isPresent();
        if (record.sinks().containsKey(id) && !isClosed) {
            Evidence frozen = new Evidence("record", "frozen by " + freeze.by() + ", number " + freeze.number());
            conflict(ConflictKind.SINK_OPEN_IN_FREEZE, id.value(), List.of(frozen, marked(sink)), false);
        }
    }

    /** A thaw raises the sinks, then takes the flag away and writes its number as the term. */
    private void compareThawed(SinkId id, SinkView sink) {
        Optional<Mark> mark = sink.mark();
        if (mark.filter(ViewComparison::isOfFreeze).isPresent()) {
            conflict(ConflictKind.FREEZE_FORGOTTEN, id.value(), List.of(onRecord(), marked(sink)), false);
        } else if (mark.filter(one -> one.token().value() > record.term()).isPresent() && isByHand(mark.get())) {
            conflict(ConflictKind.MARK_RAISED_BY_HAND, id.value(), List.of(onRecord(), marked(sink)), false);
        } else if (mark.filter(one -> one.token().value() > record.term()).isPresent()) {
            boolean isOfThaw =
                    mark.filter(one -> one.owner() instanceof MarkOwner.OfThaw).isPresent();
            conflict(ConflictKind.MARK_ABOVE_RECORD, id.value(), List.of(onRecord(), marked(sink)), !isOfThaw);
        } else if (mark.flatMap(this::rival).isPresent()) {
            Evidence leader = new Evidence(
                    "record",
                    "term " + mark.get().token() + " of "
                            + mark.flatMap(this::rival).get());
            conflict(ConflictKind.MARK_OF_ANOTHER, id.value(), List.of(leader, marked(sink)), true);
        } else {
            compareRaised(id, sink);
        }
    }

    private static boolean isOfFreeze(Mark mark) {
        return mark.owner() instanceof MarkOwner.OfFreeze;
    }

    private static boolean isByHand(Mark mark) {
        return mark.owner() instanceof MarkOwner.OfOperator;
    }

    /** Who led the term of that mark on record, where the mark is another candidate's. */
    private Optional<CandidateId> rival(Mark mark) {
        if (!(mark.owner() instanceof MarkOwner.OfCandidate owner)) {
            return Optional.empty();
        }
        long term = mark.token().value();
        Optional<Candidate> present = record.leader().filter(leader -> record.term() == term);
        Optional<Candidate> leader = present.or(() -> record.history().stream()
                .filter(past -> past.number() == term)
                .map(PastTerm::leader)
                .findFirst());
        return leader.map(Candidate::id).filter(id -> !id.equals(owner.id()));
    }

    /** A term that is held began once all of its sinks were raised. Of others it is not known whether they have begun. */
    private void compareRaised(SinkId id, SinkView sink) {
        long mark = sink.mark().map(one -> one.token().value()).orElse(0L);
        Optional<Term> held = views.held().filter(term -> mark < term.number());
        boolean leads = !views.observed().isVacant();
        boolean isShort = leads ? mark < record.term() : mark == 0;
        if (held.isPresent()) {
            conflict(ConflictKind.SINK_NOT_RAISED, id.value(), List.of(holding(held.get()), marked(sink)), true);
        } else if (record.sinks().containsKey(id) && isShort) {
            conflict(ConflictKind.SINK_NOT_RAISED, id.value(), List.of(onRecord(), marked(sink)), false);
        }
    }

    /** The claim after it has healed that, so the sink itself may tell of no conflict any more. */
    private void tellMet(MetMark met) {
        String sink = Optional.ofNullable(views.sinks().get(met.sink()))
                .map(SinkView::label)
                .orElse(met.sink().value());
        List<Evidence> evidence = List.of(
                new Evidence("this host", "gave up term " + met.term()),
                new Evidence("sink " + sink, "mark " + met.mark()));
        conflict(ConflictKind.TERM_REFUSED, met.sink().value(), evidence, true);
    }

    private void tellStale(StaleWrite write) {
        String sink = write.sink().isEmpty() ? "sink" : "sink " + write.sink();
        String inForce = write.inForce().isEmpty() ? "" : ", by the mark " + write.inForce();
        Evidence refused = new Evidence(sink, "token " + write.token() + " refused as stale" + inForce);
        conflict(ConflictKind.STALE_WRITE, "", List.of(refused, onRecord()), true);
    }

    private void conflict(ConflictKind kind, String about, List<Evidence> evidence, boolean isCertain) {
        found.add(new Conflict(kind, views.election(), about, evidence, isCertain));
    }

    private static Evidence holding(Term held) {
        return new Evidence(
                "this host",
                "holds term " + held.number() + " as " + held.leader().id());
    }

    private Evidence onRecord() {
        String lease = views.observed().leaseAlive() ? "" : ", whose lease is dead";
        String leader = record.leader().map(one -> "led by " + one.id() + lease).orElse("led by nobody");
        return new Evidence("record", "term " + record.term() + ", " + leader);
    }

    private static Evidence marked(SinkView sink) {
        String mark = sink.mark().map(Mark::toString).orElse("absent");
        return new Evidence("sink " + sink.label(), "mark " + mark);
    }
}
