package dev.incumbent.cli.doctor;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.telling.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Do a sink's marks fit the terms on record? */
final class SinkCheck {
    private static final String CHECK = "marks";

    private final Sink sink;
    private final SinkId id;
    private final MarksRead read;

    /** Reads the sink's marks of those elections. */
    SinkCheck(Sink sink, List<Standing> standings) {
        this.sink = sink;
        this.id = Answers.await(sink.id());
        this.read = Answers.await(
                sink.marks(standings.stream().map(Standing::election).collect(Collectors.toSet())));
    }

    List<Finding> findings(List<Standing> standings) {
        List<Finding> findings = new ArrayList<>();
        for (Standing standing : standings) {
            LeaderRecord record = standing.record();
            Optional<String> unreadable = Optional.ofNullable(read.unreadable().get(standing.election()));
            if (unreadable.isPresent()) {
                findings.add(unreadable(standing.election(), unreadable.get()));
                continue;
            }
            Optional<Mark> mark = read.of(standing.election());
            if (record.sinks().containsKey(id) || mark.isPresent()) {
                findings.add(finding(standing, mark));
            }
        }
        if (findings.isEmpty()) {
            findings.add(Finding.note(CHECK, sink.label() + ", sink " + id + ", serves none of these elections"));
        }
        return findings;
    }

    private Finding unreadable(ElectionName election, String why) {
        return Finding.wrong(
                CHECK,
                election + " at " + sink.label() + ": its mark cannot be read (" + why
                        + "), and nobody writes past it: put the mark back, or remove it and let the leader raise it again");
    }

    private Finding finding(Standing standing, Optional<Mark> mark) {
        LeaderRecord record = standing.record();
        String told = standing.election() + " at " + sink.label() + ": mark "
                + mark.map(Mark::toString).orElse("absent") + ", term " + record.term();
        if (record.retiredSinks().contains(id)) {
            return Finding.note(CHECK, told + "; this sink is retired");
        }
        boolean closed =
                mark.filter(in -> in.owner() instanceof MarkOwner.OfFreeze).isPresent();
        if (record.isFrozen()) {
            return closed
                    ? Finding.well(CHECK, told + "; closed by a freeze")
                    : Finding.wrong(
                            CHECK, told + "; the election is frozen, and this sink is open: freeze it again, with it");
        }
        if (mark.isEmpty()) {
            return Finding.wrong(CHECK, told + "; the sink is on record and was never raised, or went back");
        }
        if (closed) {
            return Finding.wrong(
                    CHECK,
                    told
                            + "; a freeze owns the mark, and the record has forgotten it: freeze it again, with this sink, then thaw");
        }
        if (mark.get().token().value() > record.term()) {
            return Finding.wrong(
                    CHECK,
                    told + "; the coordinator went back, or two of them share this sink; the next claim heals it");
        }
        if (!record.sinks().containsKey(id)) {
            return Finding.note(CHECK, told + "; the sink has a mark and is not on record");
        }
        return Finding.well(CHECK, told);
    }
}
