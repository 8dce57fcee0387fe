package dev.incumbent.adverse;

import dev.incumbent.Trace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What one candidate's belief rests on: how old each piece was, by its own date, when it was taken in; and how long its lease is. Thread-safe. */
final class Evidence implements Trace {
    /** What bears a date. */
    enum Kind {
        KEEP_ALIVE,
        RECORD,
        CANDIDATES,
        WATCH
    }

    private final Map<Kind, Long> youngest = new ConcurrentHashMap<>();
    private volatile Duration lease = Duration.ZERO;

    /** The length of the lease that was granted last. */
    Duration lease() {
        return lease;
    }

    /** Forgets what was taken in until now. */
    void forget() {
        youngest.clear();
    }

    /** The age of the youngest piece of each kind that was taken in. */
    Map<Kind, Long> youngestNanos() {
        return Map.copyOf(youngest);
    }

    @Override
    public void sessionStepped(SessionEvent event, Step<SessionState, SessionEffect> step, Moment at) {
        if (event instanceof SessionEvent.Granted granted) {
            lease = granted.timeToLive();
        } else if (event instanceof SessionEvent.KeptAlive kept) {
            take(Kind.KEEP_ALIVE, at.nanos() - kept.sentAtNanos());
        }
    }

    @Override
    public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {
        dated(event).ifPresent(kind -> take(kind, at.nanos() - sentAt(event)));
    }

    private static Optional<Kind> dated(Event event) {
        if (event instanceof Event.RecordObserved) {
            return Optional.of(Kind.RECORD);
        }
        if (event instanceof Event.CandidatesListed) {
            return Optional.of(Kind.CANDIDATES);
        }
        return event instanceof Event.WatchProved ? Optional.of(Kind.WATCH) : Optional.empty();
    }

    private static long sentAt(Event event) {
        if (event instanceof Event.RecordObserved observed) {
            return observed.sentAtNanos();
        }
        return event instanceof Event.CandidatesListed listed
                ? listed.sentAtNanos()
                : ((Event.WatchProved) event).sentAtNanos();
    }

    private void take(Kind kind, long ageNanos) {
        youngest.merge(kind, ageNanos, Math::min);
    }
}
