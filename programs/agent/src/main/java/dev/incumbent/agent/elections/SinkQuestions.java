package dev.incumbent.agent.elections;

import dev.incumbent.agent.alarms.AsideLog;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.Timeline;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Asks the sinks of this agent for their marks, a request each. One that fails, throws, answers nothing or does not answer within {@link #ANSWERS_WITHIN} is left out, and the log says so once, until it
 * has answered again. A sink is asked for its id until it has told it. All is called on the strand; answers come on any thread.
 */
final class SinkQuestions {
    /** For so long an answer is waited for: one sink that is silent does not keep those of others from being compared. */
    static final Duration ANSWERS_WITHIN = Duration.ofSeconds(10);

    private final AsideLog log = new AsideLog();
    private final List<Asked> sinks;
    private final Strand strand;

    SinkQuestions(List<Sink> sinks, Strand strand) {
        this.sinks = sinks.stream().map(Asked::new).toList();
        this.strand = strand;
    }

    /** A sink, its id once it has told it, and whether it is known to be silent. */
    private final class Asked {
        final Sink sink;
        volatile Optional<SinkId> id = Optional.empty();
        volatile boolean isSilent;

        Asked(Sink sink) {
            this.sink = sink;
        }

        CompletionStage<SinkId> id() {
            return id.<CompletionStage<SinkId>>map(CompletableFuture::completedStage)
                    .orElseGet(() -> sink.id().whenComplete((told, failure) -> id = Optional.ofNullable(told)));
        }

        void isSilent(String why) {
            if (!isSilent) {
                isSilent = true;
                log.log(
                        Level.WARNING,
                        "sink " + sink.label() + " tells no marks: " + why
                                + "; its alarms stay as they are until it does");
            }
        }

        void answers() {
            if (isSilent) {
                isSilent = false;
                log.log(Level.INFO, "sink " + sink.label() + " tells its marks again");
            }
        }
    }

    /** Asks all of them at once. Never fails. */
    CompletionStage<List<SinkMarks>> marks(NavigableSet<ElectionName> elections) {
        CompletableFuture<List<SinkMarks>> all = CompletableFuture.completedFuture(List.of());
        for (Asked one : sinks) {
            all = all.thenCombine(ask(one, elections), SinkQuestions::with);
        }
        return all;
    }

    private static List<SinkMarks> with(List<SinkMarks> some, Optional<SinkMarks> one) {
        List<SinkMarks> more = new ArrayList<>(some);
        one.ifPresent(more::add);
        return more;
    }

    private CompletionStage<Optional<SinkMarks>> ask(Asked one, NavigableSet<ElectionName> elections) {
        CompletableFuture<Optional<SinkMarks>> answer = new CompletableFuture<>();
        Timeline.Alarm late = strand.at(strand.nanos() + ANSWERS_WITHIN.toNanos(), () -> {
            if (answer.complete(Optional.empty())) {
                one.isSilent("no answer within " + ANSWERS_WITHIN.toSeconds() + " s");
            }
        });
        try {
            one.id()
                    .thenCombine(one.sink.marks(elections), (id, read) -> marks(one, id, read))
                    .whenComplete((marks, failure) -> {
                        late.cancel();
                        end(one, answer, marks, failure);
                    });
        } catch (RuntimeException | Error thrown) {
            late.cancel();
            end(one, answer, null, thrown);
        }
        return answer;
    }

    private static SinkMarks marks(Asked one, @Nullable SinkId id, @Nullable MarksRead read) {
        if (id == null || read == null) {
            throw new IllegalStateException("it answered null");
        }
        return new SinkMarks(id, one.sink.label(), read);
    }

    private static void end(
            Asked one,
            CompletableFuture<Optional<SinkMarks>> answer,
            @Nullable SinkMarks marks,
            @Nullable Throwable failure) {
        boolean isInTime = answer.complete(Optional.ofNullable(marks));
        if (isInTime && marks != null) {
            one.answers();
        } else if (isInTime) {
            one.isSilent(String.valueOf(failure));
        }
    }
}
