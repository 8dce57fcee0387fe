package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.kubernetes.CacheEvent.Buried;
import dev.incumbent.coordinator.kubernetes.CacheEvent.Changed;
import dev.incumbent.coordinator.kubernetes.CacheEvent.Joined;
import dev.incumbent.coordinator.kubernetes.CacheEvent.Left;
import dev.incumbent.coordinator.kubernetes.CacheEvent.Listed;
import dev.incumbent.coordinator.kubernetes.CacheEvent.Probed;
import dev.incumbent.coordinator.kubernetes.CacheEvent.StreamBegan;
import dev.incumbent.coordinator.kubernetes.CacheEvent.StreamEnded;
import dev.incumbent.coordinator.kubernetes.CacheEvent.Unanswered;
import dev.incumbent.coordinator.kubernetes.CacheEvent.Wrote;
import dev.incumbent.coordinator.kubernetes.Ending.Kind;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * All watches of a process, as a machine: what is known of the records and sessions of the namespace, what to ask next, and who is told what. It has no thread, no
 * clock and no I/O. Its driver is {@link LeaseWatch}.
 *
 * <p>One list tells all there is, and one stream all changes from there on. Once a period there is a fresh look. Where a stream runs and has
 * told nothing for half a period, that is a probe, for a half-open stream is silent for ever: no answer is a gap, and a position behind one already seen is a restored store. Where none
 * runs, it is a list: so changes are learned where streams are refused, too. What this process has written must come by in the stream; where it does not, the
 * stream is dead.
 *
 * <p>A step takes the event and then pursues what is due. So whatever was lost is asked for again by a later step.
 */
final class LeaseCache {
    private final long periodNanos;
    private final Deaths deaths;
    private final Contents contents;
    private final Followers followers = new Followers();
    private final Rhythm rhythm;

    private Optional<Streaming> stream = Optional.empty();
    private long streams;
    private long lists;

    /** The position when the list under way was asked for, and the probe. */
    private OptionalLong listing = OptionalLong.empty();

    private OptionalLong probing = OptionalLong.empty();

    /** Does a stream that goes on from the position miss nothing? */
    private boolean isWhole;

    private boolean isClosed;

    /** One that looks anew once in that period. */
    LeaseCache(Duration period, Vigil vigil) {
        this.periodNanos = period.toNanos();
        this.rhythm = new Rhythm(periodNanos);
        this.deaths = new Deaths(vigil, periodNanos / 2);
        this.contents = new Contents(deaths);
    }

    /** Takes one event; times never go back. The jitter is at least 0 and less than 1. */
    List<CacheEffect> step(CacheEvent event, long nowNanos, double jitter) {
        CacheStep step = new CacheStep(nowNanos, jitter);
        if (!isClosed) {
            take(event, step);
            pursue(step);
        }
        return List.copyOf(step.effects());
    }

    /** When it wants to be woken; {@link Rhythm#NEVER} where only an event matters. */
    long wakeAtNanos() {
        if (followers.isEmpty()) {
            return Rhythm.NEVER;
        }
        long askAt = listing.isPresent() ? Rhythm.NEVER : Math.min(rhythm.listAt(), lookAt());
        return Math.min(deaths.lookAt(), Math.min(askAt, openAt()));
    }

    private long lookAt() {
        return listing.isPresent() || probing.isPresent() ? Rhythm.NEVER : rhythm.lookAt();
    }

    private long openAt() {
        return isWhole && stream.isEmpty() ? rhythm.openAt() : Rhythm.NEVER;
    }

    private void take(CacheEvent event, CacheStep step) {
        if (event instanceof Joined e) {
            join(e, step);
        } else if (event instanceof Left e) {
            leave(e, step);
        } else if (event instanceof Wrote e) {
            stream.ifPresent(it -> it.expect(e.position(), step.now()));
        } else if (event instanceof Buried e) {
            buried(e, step);
        } else if (event instanceof CacheEvent.Closed) {
            followers.clear();
            rest(step);
            isClosed = true;
        } else {
            takeAnswer(event, step);
            takeFromStream(event, step);
        }
    }

    private void join(Joined e, CacheStep step) {
        contents.follow(e.watching().election());
        followers.join(e.watching(), lists + 1);
        rhythm.wantList(step.now());
    }

    private void leave(Left e, CacheStep step) {
        if (followers.leave(e.watching())) {
            contents.unfollow(e.watching().election());
        }
        if (followers.isEmpty()) {
            rest(step);
        }
    }

    private void rest(CacheStep step) {
        endStream(step);
        isWhole = false;
        rhythm.rest();
        deaths.rest();
    }

    private void takeAnswer(CacheEvent event, CacheStep step) {
        if (event instanceof Listed e && listing.isPresent()) {
            long askedAt = listing.getAsLong();
            listing = OptionalLong.empty();
            rhythm.answered();
            if (!followers.isEmpty()) {
                listed(e, askedAt, step);
            }
        } else if (event instanceof Probed e && probing.isPresent()) {
            if (e.position() < probing.getAsLong()) {
                rhythm.wantList(step.now());
            }
            probing = OptionalLong.empty();
            rhythm.answered();
        } else if (event instanceof Unanswered e) {
            listing = e.isList() ? OptionalLong.empty() : listing;
            probing = e.isList() ? probing : OptionalLong.empty();
            rhythm.unanswered(step, e.retryAfterNanos());
            lose(step);
        }
    }

    private void listed(Listed list, long askedAt, CacheStep step) {
        if (list.position() < askedAt) {
            endStream(step);
            contents.wentBack(list.position());
            followers.forget(step);
        }
        contents.take(list, step.now()).forEach(election -> followers.fallSilent(election, step));
        followers.hear(lists, contents, step);
        isWhole = true;
    }

    /** Something may have been missed: all is listed anew. */
    private void lose(CacheStep step) {
        endStream(step);
        isWhole = false;
        followers.fallSilent(step);
        rhythm.wantList(step.now());
    }

    private void endStream(CacheStep step) {
        stream.ifPresent(it -> step.add(new CacheEffect.CloseStream(it.id())));
        stream = Optional.empty();
    }

    private void takeFromStream(CacheEvent event, CacheStep step) {
        if (event instanceof StreamBegan e) {
            current(e.stream()).ifPresent(Streaming::begin);
        } else if (event instanceof Changed e) {
            current(e.stream()).ifPresent(it -> {
                it.show(e.object().position(), step.now());
                change(e, step);
            });
        } else if (event instanceof StreamEnded e) {
            current(e.stream()).ifPresent(it -> ended(it, e.ending(), step));
        }
    }

    private Optional<Streaming> current(long id) {
        return stream.filter(it -> it.id() == id);
    }

    private void change(Changed e, CacheStep step) {
        Stored object = e.object();
        if (!contents.advance(object) || e.type().equals("BOOKMARK")) {
            return;
        }
        if (!e.type().equals("DELETED")) {
            contents.put(object, step.now()).ifPresent(election -> followers.tell(election, contents, step));
        } else if (object.isOf(Stored.Kind.SESSION)) {
            contents.end(new LeaseId(object.name())).forEach(election -> followers.tell(election, contents, step));
        } else {
            contents.remove(object).ifPresent(election -> beginAnew(election, step));
        }
    }

    /** Its record was deleted: whatever comes next is no successor of what was told. */
    private void beginAnew(ElectionName election, CacheStep step) {
        followers.forget(election, step);
        followers.tell(election, contents, step);
    }

    /** A stream that never began has missed nothing, nor has one that ended in order: the next goes on where it was. */
    private void ended(Streaming it, Ending ending, CacheStep step) {
        boolean lasted = it.hasLasted(periodNanos, step.now());
        boolean goesOn = ending.kind() == Kind.IN_ORDER || (ending.kind() == Kind.BROKEN && !it.hasBegun());
        stream = Optional.empty();
        if (goesOn) {
            rhythm.pauseStreams(step, lasted, ending.retryAfterNanos());
        } else {
            isWhole = false;
            followers.fallSilent(step);
            rhythm.listBeforeTheNextStream(step, lasted, ending.retryAfterNanos());
        }
    }

    private void buried(Buried e, CacheStep step) {
        if (e.isGone()) {
            contents.bury(e.lease()).forEach(election -> followers.tell(election, contents, step));
        } else if (contents.isAlive(e.lease())) {
            deaths.survived(e.lease(), step.now());
        }
    }

    private void pursue(CacheStep step) {
        if (followers.isEmpty()) {
            return;
        }
        if (deaths.lookAt() <= step.now()) {
            contents.lookForDeaths(step);
        }
        if (lookAt() <= step.now()) {
            look(step);
        }
        if (listing.isEmpty() && rhythm.listAt() <= step.now()) {
            listing = OptionalLong.of(contents.position());
            lists++;
            contents.listIsAsked();
            rhythm.listIsAsked(step.now());
            step.add(new CacheEffect.SendList());
        }
        if (openAt() <= step.now()) {
            open(step);
        }
    }

    /** Probes a stream that may be relied on and has just told nothing; lists where there is none. */
    private void look(CacheStep step) {
        rhythm.looked(step.now());
        if (stream.filter(it -> it.isDead(periodNanos, step.now())).isPresent()) {
            lose(step);
        }
        if (stream.filter(it -> it.hasLasted(periodNanos, step.now())).isPresent()) {
            rhythm.streamLasts();
        }
        Optional<Streaming> running = stream.filter(it -> it.hasBegun() && !rhythm.streamsFail());
        if (running.isEmpty()) {
            rhythm.wantList(step.now());
        } else if (!running.get().wasHeardWithin(periodNanos / 2, step.now())) {
            probing = OptionalLong.of(contents.position());
            step.add(new CacheEffect.SendProbe());
        }
    }

    private void open(CacheStep step) {
        Streaming opened = new Streaming(++streams, contents.position(), step.now());
        stream = Optional.of(opened);
        step.add(new CacheEffect.OpenStream(opened.id(), contents.position()));
    }
}
