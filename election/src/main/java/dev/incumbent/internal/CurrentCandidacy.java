package dev.incumbent.internal;

import dev.incumbent.Candidacy;
import dev.incumbent.Health;
import dev.incumbent.Leadership;
import dev.incumbent.Transfer;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Event;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A candidacy as its user holds it: questions to its standpoint, wishes as events. */
final class CurrentCandidacy implements Candidacy {
    private final ElectionRuntime runtime;
    private final ElectionName election;
    private final Standpoint standpoint = new Standpoint();
    private final CompletableFuture<ElectionDriver> opened = new CompletableFuture<>();

    CurrentCandidacy(ElectionRuntime runtime, ElectionName election) {
        this.runtime = runtime;
        this.election = election;
    }

    ElectionName election() {
        return election;
    }

    Standpoint standpoint() {
        return standpoint;
    }

    /** It stands. */
    void opened(ElectionDriver driver) {
        opened.complete(driver);
    }

    /** It never will. */
    void refused(String why) {
        opened.completeExceptionally(new IllegalStateException(why));
        standpoint.troubled(why);
    }

    /** What drives it, once it stands. */
    Optional<ElectionDriver> driver() {
        return opened.isDone() && !opened.isCompletedExceptionally() ? Optional.of(opened.join()) : Optional.empty();
    }

    /** Posts an event as soon as it stands. */
    void post(Event event) {
        ((CompletionStage<ElectionDriver>) opened).thenAccept(driver -> driver.post(event));
    }

    @Override
    public Health health() {
        return standpoint.health();
    }

    @Override
    public Optional<Leadership> leadership() {
        return standpoint.leadership().filter(Leadership::holds);
    }

    @Override
    public CompletionStage<Void> resign() {
        if (standpoint.leadership().isEmpty()) {
            return CompletableFuture.completedStage(null);
        }
        long term = standpoint.leadership().get().term().number();
        post(new Event.ResignAsked());
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
        post(new Event.TransferAsked(successor));
        return transfer;
    }

    @Override
    public void well(boolean isWell) {
        post(new Event.HealthChanged(isWell));
    }

    @Override
    public void close() {
        runtime.close(this);
    }
}
