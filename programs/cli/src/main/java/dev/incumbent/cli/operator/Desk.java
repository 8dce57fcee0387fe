package dev.incumbent.cli.operator;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.OperatorName;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Sinks;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.reading.Enquiry;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Where an operator sits for one verb: the coordinator and the sinks are open, and progress is told on standard error. */
final class Desk implements AutoCloseable {
    private final Coordinator coordinator;
    private final ElectionAdmin operator;
    private final List<Sink> sinks;

    private Desk(Coordinator coordinator, ElectionAdmin operator, List<Sink> sinks) {
        this.coordinator = coordinator;
        this.operator = operator;
        this.sinks = sinks;
    }

    static Desk open(Surroundings around, At at, ElectionName election, List<String> sinkUrls) {
        List<Sink> sinks = new ArrayList<>();
        for (String url : sinkUrls) {
            sinks.add(Sinks.open(around, url, ElectionAdmin.RAISE_BOUND));
        }
        Coordinator coordinator = at.open(around, CoordinatorProvider.Mode.CREATE);
        ElectionAdmin operator = ElectionAdmin.over(coordinator, around.timeline(), election, OperatorName.of(around))
                .reporting(progress -> around.say(election + ": " + progress));
        return new Desk(coordinator, operator, sinks);
    }

    /** The same, refused with 1 where there is no such election. */
    static Desk ofKnown(Surroundings around, At at, ElectionName election, List<String> sinkUrls) {
        Desk desk = open(around, at, election, sinkUrls);
        try {
            new Enquiry(desk.coordinator).known(election);
            return desk;
        } catch (RuntimeException unknown) {
            desk.close();
            throw unknown;
        }
    }

    /** Has nobody ever stood in this election, or written of it? */
    boolean isNew(ElectionName election) {
        return new Enquiry(coordinator).find(election).isEmpty();
    }

    ElectionAdmin operator() {
        return operator;
    }

    List<Sink> sinks() {
        return sinks;
    }

    /** Waits for an operation, which is bounded by itself; the very exception that it ended in where it did. */
    static <T> T await(CompletionStage<T> operation) {
        try {
            return operation.toCompletableFuture().get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Refusal.notSo("interrupted");
        }
    }

    @Override
    public void close() {
        coordinator.close();
        sinks.forEach(Sink::close);
    }
}
