package dev.incumbent.simulation;

import dev.incumbent.Candidacy;
import dev.incumbent.Health;
import dev.incumbent.Leadership;
import dev.incumbent.Transfer;
import dev.incumbent.model.CandidateId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A candidacy that does what another does. */
abstract class ForwardedCandidacy implements Candidacy {
    final Candidacy whole;

    ForwardedCandidacy(Candidacy whole) {
        this.whole = whole;
    }

    @Override
    public CompletionStage<Void> resign() {
        return whole.resign();
    }

    @Override
    public Health health() {
        return whole.health();
    }

    @Override
    public Optional<Leadership> leadership() {
        return whole.leadership();
    }

    @Override
    public CompletionStage<Leadership> whenLeading() {
        return whole.whenLeading();
    }

    @Override
    public Leadership awaitLeadership() throws InterruptedException {
        return whole.awaitLeadership();
    }

    @Override
    public Optional<Leadership> awaitLeadership(Duration atMost) throws InterruptedException {
        return whole.awaitLeadership(atMost);
    }

    @Override
    public CompletionStage<Transfer> transferTo(CandidateId successor) {
        return whole.transferTo(successor);
    }

    @Override
    public void setHealthy(boolean isHealthy) {
        whole.setHealthy(isHealthy);
    }

    @Override
    public void setUnhealthy(String why) {
        whole.setUnhealthy(why);
    }

    @Override
    public void reportPosition(long position) {
        whole.reportPosition(position);
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return whole.closeAsync();
    }

    @Override
    public void close() {
        whole.close();
    }
}
