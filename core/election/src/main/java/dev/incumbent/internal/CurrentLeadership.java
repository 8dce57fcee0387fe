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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The term that is led: written by the loop's thread alone, read by any. Once over it is over for good. */
final class CurrentLeadership implements Leadership {
    private static final long OVER = Long.MIN_VALUE;
    private static final Validity NONE = new Validity(OVER, OVER, OVER);

    private final Term term;
    private final Optional<PastTerm> previous;
    private final LeaseClock clock;
    private final ElectionDriver driver;
    private final CompletableFuture<EndReason> ended = new CompletableFuture<>();
    private final List<Hearer> hearers = new CopyOnWriteArrayList<>();
    private volatile long validUntil = OVER;
    private volatile long stopAt = OVER;
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
        long until = validUntil;
        long now = clock.nanos();
        if (now >= until) {
            throw new LeadershipLostException(term + " is over: " + why(now, until));
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
    public Optional<PastTerm> previousTerm() {
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
    public void reportStale(StaleTokenException by) {
        driver.post(new Event.TokenRefused(term.number()));
    }

    @Override
    public CompletionStage<EndReason> ended() {
        return driver.handedOut(ended);
    }

    @Override
    public void onRenewed(Consumer<Validity> listener) {
        Hearer hearer = new Hearer(listener);
        hearers.add(hearer);
        hearer.hearSoon();
    }

    boolean isOver() {
        return validUntil == OVER;
    }

    /** Why it ended, once it has. */
    Optional<EndReason> reason() {
        return Optional.ofNullable(ended.getNow(null));
    }

    /** When its task must begin to stop, on the timeline's clock. */
    long stopAtOnTimeline() {
        return clock.onTimeline(stopAt);
    }

    /** When its task was told to stop, if it is told now and the latest time for that has not passed. */
    long toldToStopBy(long now) {
        long latest = stopAt;
        return latest == OVER ? now : Math.min(now, latest);
    }

    /** Must its task have begun to stop by now? */
    boolean isToStop() {
        return clock.nanos() >= stopAt;
    }

    void inJeopardy(boolean is) {
        jeopardy = is;
    }

    /** Extends the validity, or says that it is what it was; times on the clock of leases, told to listeners on the timeline's. */
    boolean extend(long sentAt, long stopBy, long until, Shared shared) {
        if (until == validUntil || ended.isDone()) {
            return false;
        }
        validity = shared.of(new Validity(clock.onTimeline(sentAt), clock.onTimeline(stopBy), clock.onTimeline(until)));
        stopAt = stopBy;
        validUntil = until;
        hearers.forEach(Hearer::hearSoon);
        return true;
    }

    void end(EndReason reason) {
        validUntil = OVER;
        ended.complete(reason);
    }

    private String why(long now, long until) {
        return reason().map(EndReason::toString)
                .orElseGet(() -> until == OVER
                        ? "it is not valid any more"
                        : "it was valid until " + Duration.ofNanos(now - until).toMillis() + " ms ago");
    }

    /** One who hears the validity, among its candidacy's other user code: always the newest, however many it missed while it was busy. */
    private final class Hearer {
        private final Consumer<Validity> listener;
        private final AtomicBoolean waits = new AtomicBoolean();
        private Validity heard = NONE;

        Hearer(Consumer<Validity> listener) {
            this.listener = listener;
        }

        void hearSoon() {
            if (waits.compareAndSet(false, true)) {
                driver.userCode().execute(this::hear);
            }
        }

        private void hear() {
            waits.set(false);
            Validity newest = validity;
            if (!isOver() && !newest.equals(heard)) {
                heard = newest;
                listener.accept(newest);
            }
        }
    }
}
