package dev.incumbent.coordinator.peers;

import dev.incumbent.ElectionListener;
import dev.incumbent.LeaderChange;
import dev.incumbent.LeaderListener;
import dev.incumbent.Leadership;
import dev.incumbent.TermListener;
import dev.incumbent.Trace;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.internal.LeaseClock;
import dev.incumbent.internal.Platform;
import dev.incumbent.internal.Serial;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Tells users, on threads for user code and in order, what has changed, and no trouble twice a minute. Owned by the driver's thread, except where it says otherwise. */
final class PeerTeller {
    private static final Duration QUIET = Duration.ofMinutes(1);
    private static final int MOST_TROUBLES = 100;

    private final ElectionName election;
    private final Optional<TermListener> terms;
    private final ElectionListener listener;
    private final LeaseClock clock;
    private final Serial userCode;
    private final Map<String, Long> troubles = new LinkedHashMap<>();
    private final List<PeerObservation> observations = new ArrayList<>();
    private Optional<LeaderChange> last = Optional.empty();
    private volatile CompletableFuture<Leadership> next = new CompletableFuture<>();
    private volatile Optional<String> trouble = Optional.empty();

    PeerTeller(PeerSetup setup, Platform platform, LeaseClock clock) {
        this.election = setup.election();
        this.terms = setup.listener();
        this.listener = setup.hears();
        this.clock = clock;
        this.userCode = new Serial(platform.userCode(), Trace.NONE, election.toString());
    }

    /** Runs user code after what was told before. Any thread. */
    Serial userCode() {
        return userCode;
    }

    /** The next term that this member leads. It is completed among the user code. Any thread. */
    CompletableFuture<Leadership> next() {
        return next;
    }

    /** What went wrong last and is not over. Any thread. */
    Optional<String> trouble() {
        return trouble;
    }

    void standing() {
        tell(hearer -> hearer.onStanding(election));
    }

    /** Those who wait for a term are told that there will be none. */
    void left(RuntimeException why, Runnable then) {
        tell(hearer -> hearer.onLeft(election));
        userCode.execute(() -> next.completeExceptionally(why));
        userCode.execute(then);
    }

    /** {@code thrown} hears of an exception of the term's listener. */
    void granted(Leadership leadership, Consumer<Throwable> thrown) {
        trouble = Optional.empty();
        tell(hearer -> hearer.onGranted(leadership.term()));
        userCode.execute(() -> {
            CompletableFuture<Leadership> awaited = next;
            next = new CompletableFuture<>();
            awaited.complete(leadership);
        });
        terms.ifPresent(one -> userCode.execute(() -> {
            try {
                one.onGranted(leadership);
            } catch (Exception | Error e) {
                thrown.accept(e);
            }
        }));
    }

    void revoked(Leadership leadership, EndReason reason) {
        tell(hearer -> hearer.onRevoked(leadership.term(), reason));
        terms.ifPresent(one -> userCode.execute(() -> one.onRevoked(leadership, reason)));
    }

    void failed(Leadership leadership, Throwable thrown) {
        if (!(thrown instanceof StaleTokenException)) {
            tell(hearer -> hearer.onFailed(leadership.term(), thrown));
        }
    }

    void declined(Leadership leadership, String successor, String why) {
        tell(hearer -> hearer.onTransferDeclined(leadership.term(), successor, why));
    }

    void trouble(String what) {
        trouble = Optional.of(what);
        long now = clock.nanos();
        Long before = troubles.get(what);
        if (before == null || now - before >= QUIET.toNanos()) {
            if (troubles.size() >= MOST_TROUBLES) {
                troubles.clear();
            }
            troubles.put(what, now);
            tell(hearer -> hearer.onTrouble(election, what));
        }
    }

    /** That trouble is over, if it was the last. */
    void mended(String what) {
        if (trouble.equals(Optional.of(what))) {
            trouble = Optional.empty();
            tell(hearer -> hearer.onTroubleOver(election, what));
        }
    }

    /** Who leads which term, as far as this member knows. */
    void leads(long term, Optional<Candidate> leader, Instant at) {
        boolean isSame = last.filter(told -> told.leader().equals(leader) && (leader.isEmpty() || told.term() == term))
                .isPresent();
        if (!isSame) {
            LeaderChange change = new LeaderChange(election, term, leader, Optional.empty(), at);
            last = Optional.of(change);
            observations.forEach(one -> one.changed(change, userCode));
        }
    }

    void observe(PeerObservation observation) {
        observations.add(observation);
        last.ifPresent(change -> observation.changed(change, userCode));
    }

    void leave(PeerObservation observation) {
        observations.remove(observation);
    }

    private void tell(Consumer<ElectionListener> what) {
        if (listener != ElectionListener.NONE) {
            userCode.execute(() -> what.accept(listener));
        }
    }

    /** One who hears who leads. */
    static final class PeerObservation {
        private final LeaderListener hears;
        private volatile Optional<LeaderChange> heard = Optional.empty();
        private volatile boolean isClosed;

        PeerObservation(LeaderListener hears) {
            this.hears = hears;
        }

        Optional<LeaderChange> last() {
            return heard;
        }

        void close() {
            isClosed = true;
        }

        private void changed(LeaderChange change, Serial userCode) {
            userCode.execute(() -> {
                if (!isClosed) {
                    heard = Optional.of(change);
                    hears.onChange(change);
                }
            });
        }
    }
}
