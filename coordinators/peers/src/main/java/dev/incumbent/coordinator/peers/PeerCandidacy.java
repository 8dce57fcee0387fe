package dev.incumbent.coordinator.peers;

import dev.incumbent.Candidacy;
import dev.incumbent.Health;
import dev.incumbent.Leadership;
import dev.incumbent.Transfer;
import dev.incumbent.internal.Platform;
import dev.incumbent.model.CandidateId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One member as a program holds it. */
final class PeerCandidacy implements Candidacy {
    /** How long {@link #close} waits beyond the stop budget. */
    private static final Duration CLOSING = Duration.ofSeconds(1);

    private final PeerDriver driver;
    private final Platform platform;
    private final Duration stopBudget;

    PeerCandidacy(PeerDriver driver, Platform platform, Duration stopBudget) {
        this.driver = driver;
        this.platform = platform;
        this.stopBudget = stopBudget;
    }

    PeerDriver driver() {
        return driver;
    }

    @Override
    public Health health() {
        return driver.health();
    }

    @Override
    public Optional<Leadership> leadership() {
        return driver.held();
    }

    @Override
    public CompletionStage<Leadership> whenLeading() {
        return nextLeadership().minimalCompletionStage();
    }

    /** The future first, and then the present term: so nobody misses one. */
    private CompletableFuture<Leadership> nextLeadership() {
        CompletableFuture<Leadership> next = driver.teller().next();
        return driver.held().map(CompletableFuture::completedFuture).orElse(next);
    }

    @Override
    public Leadership awaitLeadership() throws InterruptedException {
        try {
            return nextLeadership().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public Optional<Leadership> awaitLeadership(Duration atMost) throws InterruptedException {
        try {
            return Optional.of(nextLeadership().get(TimeUnit.NANOSECONDS.convert(atMost), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Hands over to a member that has answered lately, if there is one. */
    @Override
    public CompletionStage<Void> resign() {
        return driver.resign();
    }

    @Override
    public CompletionStage<Transfer> transferTo(CandidateId successor) {
        return driver.transfer(successor);
    }

    @Override
    public void setHealthy(boolean isHealthy) {
        driver.setHealthy(isHealthy, Optional.empty());
    }

    @Override
    public void setUnhealthy(String why) {
        driver.setHealthy(false, Optional.of(why));
    }

    /** Peers do not order candidates. */
    @Override
    public void reportPosition(long position) {
        throw new UnsupportedOperationException("peers elect whoever a majority votes for, wherever it has come to; an"
                + " election over a coordinator, such as quorum://, takes positions into account");
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return driver.close().thenRun(() -> {});
    }

    @Override
    public void close() {
        platform.await(driver.close(), stopBudget.plus(CLOSING));
    }
}
