package dev.incumbent.cli.operator;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.OperatorName;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.Cordoning;
import dev.incumbent.telling.CordonOutcome;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Outcome;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One act on the cordons of each of many elections, a few at once. Blocks the calling thread. */
final class InEach {
    private final Coordinator coordinator;
    private final Surroundings around;

    InEach(Coordinator coordinator, Surroundings around) {
        this.coordinator = coordinator;
        this.around = around;
    }

    /**
     * How it ended in one election.
     *
     * @param code the exit code of a verb that did this alone
     */
    record Ended(ElectionName election, Outcome outcome, int code) {}

    /** Those where it was not done, or may not have been. */
    static Set<ElectionName> notDone(List<Ended> all) {
        return all.stream()
                .filter(one -> one.code() != ExitCodes.DONE)
                .map(Ended::election)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Does it; each is told as it ends, and all are returned in order of the elections. */
    List<Ended> of(
            Set<ElectionName> elections,
            Function<ElectionAdmin, CompletionStage<Cordoning>> operation,
            Consumer<Ended> told) {
        List<Ended> all = new FewAtOnce<ElectionName, Ended>(
                        one -> begin(one, operation), "interrupted; some elections are not written: run it again")
                .of(elections, told);
        all.sort(Comparator.comparing(Ended::election));
        return all;
    }

    private CompletionStage<Ended> begin(
            ElectionName election, Function<ElectionAdmin, CompletionStage<Cordoning>> operation) {
        return operation
                .apply(ElectionAdmin.over(coordinator, around.timeline(), election, OperatorName.of(around)))
                .handle((came, failure) -> failure == null ? ended(election, came) : failed(election, failure));
    }

    private static Ended ended(ElectionName election, Cordoning came) {
        Outcome outcome = CordonOutcome.of(election, came);
        boolean done = outcome.kind() == Outcome.Kind.DONE;
        return new Ended(election, outcome, done ? ExitCodes.DONE : ExitCodes.NOT_SO);
    }

    private static Ended failed(ElectionName election, Throwable failure) {
        Throwable cause = Optional.ofNullable(failure.getCause()).orElse(failure);
        boolean maybe = cause instanceof CoordinatorException known && known.mayHaveApplied();
        String why = cause.getMessage() + (maybe ? "; it may have been done: run it again" : "");
        JsonObject json = new JsonObject()
                .put("election", election.value())
                .put("outcome", "failed")
                .put("why", why);
        boolean unusable = cause instanceof CoordinatorUnusableException;
        return new Ended(
                election,
                Outcome.not(Outcome.Kind.LATE, json, election + ": " + why),
                unusable ? ExitCodes.CONFIGURATION : ExitCodes.UNREACHABLE);
    }
}
