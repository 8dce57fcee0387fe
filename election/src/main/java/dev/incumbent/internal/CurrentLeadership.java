package dev.incumbent.internal;

import dev.incumbent.Leadership;
import dev.incumbent.LeadershipLostException;
import dev.incumbent.Validity;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Term;
import dev.incumbent.protocol.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The term that is led: written by the driver's thread alone, read by any. Once over it is over for good. */
final class CurrentLeadership implements Leadership {
    private static final long OVER = Long.MIN_VALUE;
    private static final Validity NONE = new Validity(OVER, OVER, OVER);

    private final Term term;
    private final Optional<PastTerm> previous;
    private final LeaseClock clock;
    private final ElectionDriver driver;
    private final CompletableFuture<EndReason> ended = new CompletableFuture<>();
    private volatile List<Consumer<Validity>> listeners = List.of();
    private volatile long validUntil = OVER;
    private volatile Validity validity = NONE;
    private volatile boolean jeopardy;

    CurrentLeadership(Term term, Optional<PastTerm> previous, LeaseClock clock, ElectionDriver driver) {
        this.term = term;
        this.previous = previous;
        this.clock = clock;
        this.driver = driver;
    }

    @Override
    public boolean holds() {
        return clock.nanos() < validUntil;
    }

    @Override
    public void check() throws LeadershipLostException {
        if (!holds()) {
            throw new LeadershipLostException(term + " is over: " + why());
        }
    }

    @Override
    public FencingToken token() {
        return term.token();
    }

    @Override
    public Term term() {
        return term;
    }

    @Override
    public Optional<PastTerm> previous() {
        return previous;
    }

    @Override
    public Duration remaining() {
        long until = validUntil;
        return until == OVER ? Duration.ZERO : Duration.ofNanos(Math.max(0, until - clock.nanos()));
    }

    @Override
    public boolean inJeopardy() {
        return jeopardy;
    }

    @Override
    public void refused(StaleTokenException by) {
        driver.post(new Event.TokenRefused(term.number()));
    }

    @Override
    public CompletionStage<EndReason> ended() {
        return ended.minimalCompletionStage();
    }

    @Override
    public void onValidity(Consumer<Validity> listener) {
        synchronized (ended) {
            List<Consumer<Validity>> more = new ArrayList<>(listeners);
            more.add(listener);
            listeners = List.copyOf(more);
        }
        if (validUntil != OVER) {
            listener.accept(validity);
        }
    }

    boolean isOver() {
        return validUntil == OVER;
    }

    long stopAt() {
        return validity.stopAtNanos();
    }

    void inJeopardy(boolean is) {
        jeopardy = is;
    }

    /** Extends the validity; times on the clock of leases, told to listeners on the timeline's. */
    void extend(long sentAt, long stopAt, long until, Shared shared) {
        if (until == validUntil || ended.isDone()) {
            return;
        }
        validity = shared.of(new Validity(clock.onTimeline(sentAt), clock.onTimeline(stopAt), clock.onTimeline(until)));
        validUntil = until;
        listeners.forEach(listener -> listener.accept(validity));
    }

    void end(EndReason reason) {
        validUntil = OVER;
        ended.complete(reason);
    }

    private String why() {
        if (ended.isDone()) {
            return ended.join().toString();
        }
        return "it was valid until "
                + Duration.ofNanos(clock.nanos() - validUntil).toMillis() + " ms ago";
    }
}
