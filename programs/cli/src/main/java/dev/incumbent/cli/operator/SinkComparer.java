package dev.incumbent.cli.operator;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.ElectionStatus;
import dev.incumbent.cli.operator.SinkComparison.Verdict;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import dev.incumbent.telling.DurationText;
import dev.incumbent.telling.command.BoundedCommand;
import dev.incumbent.telling.conflict.Conflict;
import dev.incumbent.telling.conflict.ElectionViews;
import dev.incumbent.telling.conflict.SinkView;
import dev.incumbent.telling.conflict.ViewComparison;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** Has one sink after the other compared by an operator's command. */
final class SinkComparer {
    private final ElectionName election;
    private final List<String> command;
    private final Duration longest;
    private final Timeline timeline;

    SinkComparer(ElectionName election, List<String> command, Duration longest, Timeline timeline) {
        this.election = election;
        this.command = command;
        this.longest = longest;
        this.timeline = timeline;
    }

    /**
     * Reads the mark, then the record, then runs the command. Blocks until it has ended.
     *
     * @param number of the sink, from 1 on
     * @param url without credentials
     */
    SinkComparison compare(int number, String url, Sink sink, ElectionAdmin operator, Path output)
            throws InterruptedException {
        SinkId id = Desk.await(sink.id());
        MarksRead read = Desk.await(sink.marks(Set.of(election)));
        ElectionStatus status = Desk.await(operator.status());
        SinkView view = SinkView.of(sink.label(), read, election);
        TreeMap<SinkId, SinkView> views = new TreeMap<>();
        views.put(id, view);
        List<Conflict> conflicts = ViewComparison.of(new ElectionViews(
                election,
                Optional.empty(),
                new Reading.Found(status.observed()),
                views,
                Optional.empty(),
                Optional.empty()));
        String mark = view.mark().map(Mark::toString).orElse("absent");
        long began = timeline.nanos();
        Ended ended = ended(variables(number, url, id, view), output);
        Duration took = Duration.ofNanos(timeline.nanos() - began);
        return new SinkComparison(url, id, mark, conflicts, ended.verdict, ended.why, took, output);
    }

    private record Ended(Verdict verdict, String why) {}

    private Ended ended(Map<String, String> variables, Path output) throws InterruptedException {
        try {
            OptionalInt code = new BoundedCommand(command, variables, "", Optional.of(output)).run(longest);
            if (code.isEmpty()) {
                return new Ended(Verdict.FAILED, "the command was killed after " + DurationText.format(longest));
            }
            Verdict verdict = Verdict.of(code.getAsInt());
            return new Ended(verdict, verdict == Verdict.FAILED ? "the command ended with " + code.getAsInt() : "");
        } catch (IOException notStarted) {
            return new Ended(Verdict.FAILED, String.valueOf(notStarted.getMessage()));
        }
    }

    private Map<String, String> variables(int number, String url, SinkId id, SinkView view) {
        Map<String, String> told = new TreeMap<>();
        told.put("INCUMBENT_ELECTION", election.value());
        told.put("INCUMBENT_SINK", url);
        told.put("INCUMBENT_SINK_ID", id.value());
        told.put("INCUMBENT_SINK_NUMBER", Integer.toString(number));
        told.put(
                "INCUMBENT_MARK", view.mark().map(one -> one.token().toString()).orElse(""));
        return told;
    }
}
