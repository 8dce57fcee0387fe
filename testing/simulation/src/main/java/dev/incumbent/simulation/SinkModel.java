package dev.incumbent.simulation;

import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A sink of the world: marks by the shipped rule, and what it admitted. */
class SinkModel {
    private final SinkId id;
    private final Inspectors inspectors;
    private final Map<ElectionName, Mark> marks = new TreeMap<>();
    private Map<ElectionName, Mark> copy = new TreeMap<>();

    /** What became of a write. */
    enum Admission {
        ADMITTED,
        STALE,
        NOT_RAISED
    }

    SinkModel(SinkId id, Inspectors inspectors) {
        this.id = id;
        this.inspectors = inspectors;
    }

    SinkId id() {
        return id;
    }

    Optional<Mark> mark(ElectionName election) {
        return Optional.ofNullable(marks.get(election));
    }

    Raise raise(ElectionName election, Mark asked) {
        Optional<Mark> before = mark(election);
        Raise raise = before.map(MarkRule::at).orElseGet(MarkRule::unmarked).raise(asked);
        if (raise instanceof Raise.Raised) {
            put(election, asked);
        }
        return raise;
    }

    void put(ElectionName election, Mark mark) {
        Optional<Mark> before = mark(election);
        marks.put(election, mark);
        inspectors.raised(this, election, before, mark);
    }

    Admission admit(ElectionName election, FencingToken token, int begun) {
        Admission admission = judge(election, token);
        if (admission == Admission.ADMITTED) {
            inspectors.admitted(this, election, token, begun);
        }
        return admission;
    }

    /** Whether that token passes; a broken sink judges otherwise. */
    Admission judge(ElectionName election, FencingToken token) {
        try {
            mark(election).map(MarkRule::at).orElseGet(MarkRule::unmarked).admit(election, token);
            return Admission.ADMITTED;
        } catch (StaleTokenException stale) {
            return Admission.STALE;
        } catch (NotRaisedException notRaised) {
            return Admission.NOT_RAISED;
        }
    }

    void keepCopy() {
        copy = new TreeMap<>(marks);
    }

    void goBackToTheCopy() {
        marks.clear();
        marks.putAll(copy);
        inspectors.wentBack(this);
    }
}
