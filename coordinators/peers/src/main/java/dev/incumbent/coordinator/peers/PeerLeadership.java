package dev.incumbent.coordinator.peers;

import dev.incumbent.Leadership;
import dev.incumbent.LeadershipLostException;
import dev.incumbent.Validity;
import dev.incumbent.coordinator.peers.MemberMachine.MemberLead;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.internal.LeaseClock;
import dev.incumbent.internal.Serial;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Term;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The term that is led: written by the driver's thread alone, read by any. Once over it is over for good. */
final class PeerLeadership implements Leadership {
    private static final MemberLead OVER = new MemberLead(0, Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);

    private final PeerSetup setup;
    private final Term term;
    private final LeaseClock clock;
    private final Serial userCode;
    private final Runnable stale;
    private final CompletableFuture<EndReason> ended = new CompletableFuture<>();
    private final List<Consumer<Validity>> hearers = new CopyOnWriteArrayList<>();
    private volatile MemberLead lead = OVER;

    PeerLeadership(PeerSetup setup, Term term, LeaseClock clock, Serial userCode, Runnable stale) {
        this.setup = setup;
        this.term = term;
        this.clock = clock;
        this.userCode = userCode;
        this.stale = stale;
    }

    @Override
    public boolean holds() {
        return clock.nanos() < lead.validUntilNanos();
    }

    @Override
    public void check() throws LeadershipLostException {
        long until = lead.validUntilNanos();
        long now = clock.nanos();
        if (now >= until) {
            String why = Optional.ofNullable(ended.getNow(null))
                    .map(EndReason::toString)
                    .orElseGet(() -> until == OVER.validUntilNanos()
                            ? "it is not valid any more"
                            : "it was valid until "
                                    + Duration.ofNanos(now - until).toMillis() + " ms ago");
            throw new LeadershipLostException(term + " is over: " + why);
        }
    }

    @Override
    public FencingToken token() {
        if (!setup.kind().isSafe()) {
            throw new IllegalStateException(setup.election() + " is led by " + setup.kind()
                    + ", which has no fencing token: elect by peers+raft, or over a coordinator");
        }
        return term.token();
    }

    @Override
    public Term term() {
        return term;
    }

    /** Peers keep no record of it. */
    @Override
    public Optional<PastTerm> previousTerm() {
        return Optional.empty();
    }

    @Override
    public Duration remaining() {
        long until = lead.validUntilNanos();
        return until == OVER.validUntilNanos() ? Duration.ZERO : Duration.ofNanos(Math.max(0, until - clock.nanos()));
    }

    @Override
    public boolean inJeopardy() {
        MemberLead seen = lead;
        long missed = setup.heartbeat().toNanos() * 2;
        return setup.kind().isSafe() && !seen.equals(OVER) && clock.nanos() - seen.sentAtNanos() > missed;
    }

    @Override
    public void reportStale(StaleTokenException by) {
        stale.run();
    }

    @Override
    public CompletionStage<EndReason> ended() {
        return ended.minimalCompletionStage();
    }

    @Override
    public void onRenewed(Consumer<Validity> listener) {
        hearers.add(listener);
        tell(listener);
    }

    boolean isOver() {
        return lead.equals(OVER);
    }

    /** Must its task have begun to stop by now? */
    boolean isToStop() {
        return clock.nanos() >= lead.stopAtNanos();
    }

    long stopAtNanos() {
        return lead.stopAtNanos();
    }

    /** Extends the validity, or says that it is what it was. */
    boolean extend(MemberLead next) {
        if (next.equals(lead) || ended.isDone()) {
            return false;
        }
        lead = next;
        hearers.forEach(this::tell);
        return true;
    }

    /** The guard says no from now on; those who wait for the end are told among the user code. */
    void end(EndReason reason) {
        lead = OVER;
        userCode.execute(() -> ended.complete(reason));
    }

    private void tell(Consumer<Validity> listener) {
        userCode.execute(() -> {
            MemberLead newest = lead;
            if (!newest.equals(OVER)) {
                listener.accept(new Validity(
                        clock.onTimeline(newest.sentAtNanos()),
                        clock.onTimeline(newest.stopAtNanos()),
                        clock.onTimeline(newest.validUntilNanos())));
            }
        });
    }
}
