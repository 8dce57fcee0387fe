package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.coordinator.kubernetes.CacheEffect.Bury;
import dev.incumbent.coordinator.kubernetes.CacheEffect.OpenStream;
import dev.incumbent.coordinator.kubernetes.CacheEffect.SendList;
import dev.incumbent.coordinator.kubernetes.CacheEffect.SendProbe;
import dev.incumbent.coordinator.kubernetes.CacheEffect.Tell;
import dev.incumbent.coordinator.kubernetes.CacheEffect.TellGap;
import dev.incumbent.coordinator.kubernetes.Stored.Kind;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/** All watches of a process: drives a {@link LeaseCache}, and does what it wants done. All state belongs to the turns. */
final class LeaseWatch implements AutoCloseable {
    private final Questions questions;
    private final Leases leases;
    private final Timeline timeline;
    private final DoubleSupplier jitter;
    private final LeaseCache cache;
    private final Turns turns = new Turns();

    private Optional<ChangeStream> stream = Optional.empty();
    private Optional<Timeline.Alarm> alarm = Optional.empty();
    private long alarmNanos = Rhythm.NEVER;
    private volatile boolean closed;

    /** The jitter is at least 0 and less than 1, and drawn for each step. */
    LeaseWatch(Questions questions, Leases leases, Vigil vigil, Timeline timeline, DoubleSupplier jitter) {
        this.questions = questions;
        this.leases = leases;
        this.timeline = timeline;
        this.jitter = jitter;
        this.cache = new LeaseCache(questions.requestTimeout(), vigil);
    }

    /** Asks the API server. */
    interface Questions {
        Duration requestTimeout();

        /** Whatever was answered, good or bad; empty where nothing was, within the request timeout. */
        void ask(Ask ask, Consumer<Optional<Answer>> then);

        void bury(Stored overdue, Consumer<Boolean> then);

        ChangeStream open(Ask watch, ChangeStream.Listener listener);
    }

    Watch watch(ElectionName election, Watcher watcher) {
        Watching watching = new Watching(election, watcher, closing -> happen(new CacheEvent.Left(closing)));
        happen(new CacheEvent.Joined(watching));
        return watching;
    }

    /** This process has written a record or a session. */
    void written(long at) {
        happen(new CacheEvent.Wrote(at));
    }

    @Override
    public void close() {
        closed = true;
        happen(new CacheEvent.Closed());
    }

    private void happen(CacheEvent event) {
        turns.take(() -> {
            cache.step(event, timeline.nanos(), jitter.getAsDouble()).forEach(this::perform);
            setAlarm(cache.wakeAtNanos());
        });
    }

    /** Where the instant is the same, that alarm has yet to ring: a step wants to be woken later than it is. */
    private void setAlarm(long nanos) {
        if (nanos == alarmNanos) {
            return;
        }
        alarm.ifPresent(Timeline.Alarm::cancel);
        alarmNanos = nanos;
        alarm = nanos == Rhythm.NEVER
                ? Optional.empty()
                : Optional.of(timeline.at(nanos, () -> happen(new CacheEvent.Woken())));
    }

    private void perform(CacheEffect effect) {
        if (effect instanceof SendList) {
            Ask list = leases.list(Leases.ALL_BUT_CANDIDATES);
            questions.ask(list, answer -> happen(event(true, answer)));
        } else if (effect instanceof SendProbe) {
            questions.ask(leases.first(Leases.ofKind(Kind.SESSION)), answer -> happen(event(false, answer)));
        } else if (effect instanceof OpenStream e) {
            Ask watch = leases.watch(Leases.ALL_BUT_CANDIDATES, e.position(), Streaming.LIFE);
            stream = Optional.of(questions.open(watch, new Hearing(e.stream())));
        } else if (effect instanceof CacheEffect.CloseStream) {
            stream.ifPresent(ChangeStream::close);
        } else if (effect instanceof Bury e) {
            LeaseId lease = new LeaseId(e.session().name());
            questions.bury(e.session(), isGone -> happen(new CacheEvent.Buried(lease, isGone)));
        } else if (!closed) {
            tell(effect);
        }
    }

    private static void tell(CacheEffect effect) {
        if (effect instanceof Tell e) {
            e.watching().tellState(e.state());
        } else if (effect instanceof TellGap e) {
            e.watching().tell(Watcher::gap);
        }
    }

    /** What an answer tells; one that cannot be understood is none. */
    private static CacheEvent event(boolean isList, Optional<Answer> answer) {
        try {
            Optional<Answer> good = answer.filter(Answer::isGood);
            if (good.isPresent()) {
                long position = good.get().position();
                return isList ? new CacheEvent.Listed(position, good.get().items()) : new CacheEvent.Probed(position);
            }
        } catch (IllegalArgumentException notUnderstood) {
            return new CacheEvent.Unanswered(isList, 0);
        }
        return new CacheEvent.Unanswered(
                isList, answer.map(Answer::retryAfterNanos).orElse(0L));
    }

    /** Listens to one stream. */
    private final class Hearing implements ChangeStream.Listener {
        private final long id;

        Hearing(long id) {
            this.id = id;
        }

        @Override
        public void began(ChangeStream which) {
            happen(new CacheEvent.StreamBegan(id));
        }

        @Override
        public void changed(ChangeStream by, String type, Stored object) {
            happen(new CacheEvent.Changed(id, type, object));
        }

        @Override
        public void ended(ChangeStream which, Ending ending) {
            happen(new CacheEvent.StreamEnded(id, ending));
        }
    }
}
