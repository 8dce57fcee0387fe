package dev.incumbent.internal;

import dev.incumbent.Candidacy;
import dev.incumbent.Health;
import dev.incumbent.Leadership;
import dev.incumbent.Transfer;
import dev.incumbent.model.CandidateId;
import dev.incumbent.protocol.Event;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A candidacy as its user holds it: questions to its standpoint, wishes as events. */
final class CurrentCandidacy implements Candidacy {
    private final Standpoint standpoint;
    private final Consumer<Event> events;
    private final Runnable close;

    CurrentCandidacy(Standpoint standpoint, Consumer<Event> events, Runnable close) {
        this.standpoint = standpoint;
        this.events = events;
        this.close = close;
    }

    boolean isOf(Standpoint one) {
        return standpoint == one;
    }

    @Override
    public Health health() {
        return standpoint.health();
    }

    @Override
    public Optional<Leadership> leadership() {
        return standpoint.leadership();
    }

    @Override
    public CompletionStage<Void> resign() {
        if (standpoint.leadership().isEmpty()) {
            return CompletableFuture.completedStage(null);
        }
        long term = standpoint.leadership().get().term().number();
        events.accept(new Event.ResignAsked());
        return standpoint
                .when(s -> s.tenure().filter(t -> t.term().number() == term).isEmpty())
                .thenApply(s -> null);
    }

    @Override
    public CompletionStage<Transfer> transferTo(CandidateId successor) {
        if (standpoint.leadership().isEmpty()) {
            return CompletableFuture.completedStage(new Transfer.Aborted("this process does not lead"));
        }
        CompletableFuture<Transfer> transfer = standpoint.transfer(successor);
        events.accept(new Event.TransferAsked(successor));
        return transfer;
    }

    @Override
    public void well(boolean isWell) {
        events.accept(new Event.HealthChanged(isWell));
    }

    @Override
    public void close() {
        close.run();
    }
}
