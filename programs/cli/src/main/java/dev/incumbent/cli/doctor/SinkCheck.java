package dev.incumbent.cli.doctor;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import dev.incumbent.telling.Standing;
import dev.incumbent.telling.conflict.Conflict;
import dev.incumbent.telling.conflict.ConflictKind;
import dev.incumbent.telling.conflict.ElectionViews;
import dev.incumbent.telling.conflict.SinkView;
import dev.incumbent.telling.conflict.ViewComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Do a sink's marks fit the terms on record? */
final class SinkCheck {
    private static final String CHECK = "marks";

    private final Sink sink;
    private final SinkId id;
    private final MarksRead read;

    /** Reads the sink's marks of those elections; their records are read afterwards. */
    SinkCheck(Sink sink, Set<ElectionName> elections) {
        this.sink = sink;
        this.id = Answers.await(sink.id());
        this.read = Answers.await(sink.marks(elections));
    }

    List<Finding> findings(List<Standing> standings) {
        List<Finding> findings = new ArrayList<>();
        for (Standing standing : standings) {
            SinkView view = SinkView.of(sink.label(), read, standing.election());
            if (standing.record().sinks().containsKey(id)
                    || view.mark().isPresent()
                    || view.unreadable().isPresent()) {
                findings.add(finding(standing, view));
            }
        }
        if (findings.isEmpty()) {
            findings.add(Finding.note(CHECK, sink.label() + ", sink " + id + ", serves none of these elections"));
        }
        return findings;
    }

    private Finding finding(Standing standing, SinkView view) {
        LeaderRecord record = standing.record();
        String told = standing.election() + " at " + sink.label() + ": mark "
                + view.mark().map(Mark::toString).orElse("absent") + ", term " + record.term();
        Optional<Conflict> conflict = conflict(standing, view);
        if (conflict.isPresent()) {
            return finding(conflict.get(), standing, view);
        }
        if (record.retiredSinks().contains(id)) {
            return Finding.note(CHECK, told + "; this sink is retired");
        }
        if (record.isFrozen()) {
            return Finding.well(CHECK, told + "; closed by a freeze");
        }
        return record.sinks().containsKey(id)
                ? Finding.well(CHECK, told)
                : Finding.note(CHECK, told + "; the sink has a mark and is not on record");
    }

    /** A leader that has just claimed raises its sinks: one look cannot tell that from a sink that stays behind. */
    private static Finding finding(Conflict conflict, Standing standing, SinkView view) {
        boolean isBehind = conflict.kind() == ConflictKind.SINK_NOT_RAISED
                && view.mark().isPresent()
                && !standing.observed().isVacant();
        return isBehind
                ? Finding.note(CHECK, conflict.sentence() + "; a leader that has just claimed is about to raise it")
                : Finding.wrong(CHECK, conflict.sentence());
    }

    private Optional<Conflict> conflict(Standing standing, SinkView view) {
        TreeMap<SinkId, SinkView> sinks = new TreeMap<>();
        sinks.put(id, view);
        ElectionViews views = new ElectionViews(
                standing.election(), Optional.empty(), standing.reading(), sinks, Optional.empty(), Optional.empty());
        return ViewComparison.of(views).stream().findFirst();
    }
}
