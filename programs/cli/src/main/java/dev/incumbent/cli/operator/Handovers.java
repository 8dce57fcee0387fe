package dev.incumbent.cli.operator;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.cli.frame.OperatorName;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Outcome;
import dev.incumbent.telling.Standing;
import dev.incumbent.telling.TransferOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Transfers away from one host, a few at once. Blocks the calling thread. */
final class Handovers {
    private final Coordinator coordinator;
    private final Surroundings around;
    private final OnHost host;
    private final Duration timeout;

    Handovers(Coordinator coordinator, Surroundings around, OnHost host, Duration timeout) {
        this.coordinator = coordinator;
        this.around = around;
        this.host = host;
        this.timeout = timeout;
    }

    /** Hands these over; each is told as it ends. */
    List<Outcome> of(List<Standing> led, Consumer<Outcome> told) {
        return new FewAtOnce<>(this::begin, "interrupted; the transfers that were asked for go on").of(led, told);
    }

    private CompletionStage<Outcome> begin(Standing standing) {
        return host.successor(standing)
                .map(successor -> transfer(standing.election(), successor))
                .orElseGet(() -> CompletableFuture.completedStage(nobodyElse(standing)));
    }

    private CompletionStage<Outcome> transfer(ElectionName election, Candidate successor) {
        return ElectionAdmin.over(coordinator, around.timeline(), election, OperatorName.of(around))
                .transferTo(successor.id().value(), timeout)
                .handle((came, failure) -> failure == null
                        ? TransferOutcome.of(election, came)
                        : failed(election, String.valueOf(cause(failure).getMessage())));
    }

    private static Throwable cause(Throwable failure) {
        return Optional.ofNullable(failure.getCause()).orElse(failure);
    }

    private Outcome nobodyElse(Standing standing) {
        return Outcome.not(
                Outcome.Kind.REFUSED,
                ended(standing.election(), "nobody-else"),
                standing.election() + ": nobody on another host stands, so " + host.host() + " leads on");
    }

    private static Outcome failed(ElectionName election, String why) {
        return Outcome.not(
                Outcome.Kind.LATE,
                ended(election, "failed").put("why", why),
                election + " was not handed over: " + why);
    }

    private static JsonObject ended(ElectionName election, String outcome) {
        return new JsonObject().put("election", election.value()).put("outcome", outcome);
    }
}
