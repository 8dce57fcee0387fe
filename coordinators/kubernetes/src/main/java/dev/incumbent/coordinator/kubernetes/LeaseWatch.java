package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.coordinator.kubernetes.Records.Understood;
import dev.incumbent.coordinator.kubernetes.Stored.Kind;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * All watches of a process, by one list and one stream of changes of all records and sessions in the namespace.
 *
 * <p>A half-open stream is silent for ever, so once a request timeout the store is asked for its position: no answer is a gap, and a position
 * behind one already seen is a restored store. What this process itself has written must come by; where it does not, the stream is dead. All
 * state belongs to the turns.
 */
final class LeaseWatch implements AutoCloseable {
    /** How long the server lets a stream run. */
    private static final Duration LIFE = Duration.ofMinutes(2);

    private static final Duration REOPEN = Duration.ofMillis(100);

    private final Questions questions;
    private final Leases leases;
    private final Sessions sessions;
    private final Timeline timeline;
    private final Turns turns = new Turns();

    private final Map<ElectionName, List<Heard>> audience = new HashMap<>();
    private final Map<String, ElectionName> names = new HashMap<>();
    private final Map<ElectionName, Understood> known = new HashMap<>();
    private final Map<LeaseId, Stored> alive = new HashMap<>();

    /** What the stream told, or what died, since the list under way was asked for: the list may be older. Up to which position it is newer. */
    private final Map<String, Long> sinceAsked = new HashMap<>();

    /** All changes up to here are known. */
    private long position;

    private Optional<ChangeStream> stream = Optional.empty();
    private long streamEndsNanos;
    private long streamed;
    private boolean isListing;
    private boolean mustListAgain;
    private boolean isProbing;
    private Optional<Unshown> unshown = Optional.empty();
    private Optional<Timeline.Alarm> deaths = Optional.empty();
    private long deathsNanos;
    private volatile boolean closed;

    LeaseWatch(Questions questions, Leases leases, Sessions sessions, Timeline timeline) {
        this.questions = questions;
        this.leases = leases;
        this.sessions = sessions;
        this.timeline = timeline;
    }

    /** A write of this process that the stream has yet to tell. */
    private record Unshown(long position, long sinceNanos) {}

    /** Asks the API server. */
    interface Questions {
        Duration requestTimeout();

        /** Empty where there was no good answer. */
        void ask(Ask ask, java.util.function.Consumer<Optional<Answer>> then);

        void bury(Stored overdue, java.util.function.Consumer<Boolean> then);

        ChangeStream open(Ask watch, ChangeStream.Listener listener);
    }

    Watch watch(ElectionName election, Watcher watcher) {
        Watching watching = new Watching(election, watcher, closing -> turns.take(() -> forget(closing)));
        turns.take(() -> {
            if (closed) {
                return;
            }
            audience.computeIfAbsent(election, e -> new ArrayList<>()).add(new Heard(watching));
            names.put(Names.of(election), election);
            list();
            probeLater();
        });
        return watching;
    }

    /** This process has written a record or a session. */
    void written(long at) {
        turns.take(() -> {
            if (stream.isPresent() && unshown.isEmpty() && at > streamed) {
                unshown = Optional.of(new Unshown(at, timeline.nanos()));
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        turns.take(() -> {
            audience.values()
                    .forEach(all ->
                            List.copyOf(all).forEach(heard -> heard.watch().close()));
            endStream();
            deaths.ifPresent(Timeline.Alarm::cancel);
        });
    }

    private void forget(Watching watching) {
        List<Heard> others = audience.getOrDefault(watching.election(), new ArrayList<>());
        others.removeIf(heard -> heard.watch().equals(watching));
        if (others.isEmpty()) {
            audience.remove(watching.election());
            names.remove(Names.of(watching.election()));
            known.remove(watching.election());
        }
        if (audience.isEmpty()) {
            endStream();
        }
    }

    /** Lists all there is, in one consistent read; once more where somebody asked meanwhile. */
    private void list() {
        if (isListing) {
            mustListAgain = true;
            return;
        }
        isListing = true;
        sinceAsked.clear();
        long askedAt = position;
        questions.ask(
                leases.list(Leases.ALL_BUT_CANDIDATES),
                answer -> turns.take(() -> {
                    isListing = false;
                    if (closed || audience.isEmpty()) {
                        return;
                    }
                    if (answer.isPresent()) {
                        take(answer.get(), askedAt);
                    } else {
                        fallSilent();
                    }
                    if (mustListAgain && answer.isPresent()) {
                        mustListAgain = false;
                        list();
                    }
                }));
    }

    private void take(Answer answer, long askedAt) {
        long listed = answer.position();
        if (listed < askedAt) {
            endStream();
            sinceAsked.clear();
            position = listed;
            audience.values().forEach(all -> all.forEach(Heard::forget));
        }
        position = Math.max(position, listed);
        known.keySet().removeIf(election -> isAsOld(listed, Names.of(election)));
        alive.keySet().removeIf(id -> isAsOld(listed, id.value()));
        for (Stored object : answer.items()) {
            if (isAsOld(listed, object.name())) {
                remember(object);
            }
        }
        sessions.vigil().forgetAllBut(alive.keySet());
        audience.keySet().forEach(this::tell);
        if (stream.isEmpty()) {
            openStream();
        }
    }

    /** Is what a list of that position says of an object no older than what is known of it? */
    private boolean isAsOld(long listed, String name) {
        return sinceAsked.getOrDefault(name, 0L) <= listed;
    }

    /** The election that it is about, if somebody watches that. */
    private Optional<ElectionName> remember(Stored object) {
        if (object.isOf(Kind.SESSION)) {
            LeaseId id = new LeaseId(object.name());
            sessions.vigil().isOverdue(object, timeline.nanos());
            alive.put(id, object);
            lookForDeathAt(sessions.vigil().endNanos(id));
            return Optional.empty();
        }
        Optional<ElectionName> election = Optional.ofNullable(names.get(object.name()));
        election.ifPresent(it -> {
            Understood understood = Understood.of(it, object);
            known.put(it, understood);
            understood
                    .record()
                    .flatMap(LeaderRecord::lease)
                    .ifPresent(id -> lookForDeathAt(sessions.vigil().endNanos(id)));
        });
        return election;
    }

    private void tell(ElectionName election) {
        Optional<Understood> understood = Optional.ofNullable(known.get(election));
        Revision revision = understood.map(Understood::revision).orElse(Revision.ABSENT);
        Optional<ObservedRecord> state = understood.isEmpty()
                ? Optional.of(ObservedRecord.ABSENT)
                : understood.get().record().map(record -> understood.get().observed(record, alive.keySet()));
        List.copyOf(audience.getOrDefault(election, List.of())).forEach(heard -> heard.tell(revision, state));
    }

    private void fallSilent() {
        endStream();
        audience.values().forEach(all -> List.copyOf(all).forEach(Heard::fallSilent));
    }

    private void openStream() {
        Ask watch = leases.watch(Leases.ALL_BUT_CANDIDATES, position, LIFE);
        streamed = position;
        unshown = Optional.empty();
        streamEndsNanos = timeline.nanos()
                + LIFE.plus(questions.requestTimeout().multipliedBy(2)).toNanos();
        stream = Optional.of(questions.open(watch, new ChangeStream.Listener() {
            @Override
            public void changed(ChangeStream by, String type, Stored object) {
                turns.take(() -> {
                    if (isCurrent(by)) {
                        apply(type, object);
                    }
                });
            }

            @Override
            public void ended(ChangeStream which, boolean inGoodOrder) {
                turns.take(() -> {
                    if (isCurrent(which)) {
                        streamEnded(inGoodOrder);
                    }
                });
            }
        }));
    }

    private boolean isCurrent(ChangeStream which) {
        return !closed && stream.filter(it -> it == which).isPresent();
    }

    private void endStream() {
        stream.ifPresent(ChangeStream::close);
        stream = Optional.empty();
    }

    private void streamEnded(boolean inGoodOrder) {
        if (inGoodOrder) {
            endStream();
            Timeline.Alarm unused = timeline.at(
                    timeline.nanos() + REOPEN.toNanos(),
                    () -> turns.take(() -> {
                        if (!closed && stream.isEmpty() && !isListing && !audience.isEmpty()) {
                            openStream();
                        }
                    }));
        } else {
            fallSilent();
            list();
        }
    }

    private void apply(String type, Stored object) {
        streamed = Math.max(streamed, object.position());
        unshown = unshown.filter(write -> write.position() > streamed);
        if (object.position() <= position) {
            return;
        }
        position = object.position();
        noteChange(object.name(), position);
        if (type.equals("DELETED")) {
            removed(object);
        } else if (!type.equals("BOOKMARK")) {
            remember(object).ifPresent(this::tell);
        }
    }

    private void noteChange(String name, long at) {
        if (isListing) {
            sinceAsked.put(name, at);
        }
    }

    private void removed(Stored object) {
        if (object.isOf(Kind.SESSION)) {
            died(new LeaseId(object.name()));
            return;
        }
        Optional<ElectionName> election = Optional.ofNullable(names.get(object.name()));
        election.ifPresent(it -> {
            known.remove(it);
            audience.getOrDefault(it, List.of()).forEach(Heard::forget);
            tell(it);
        });
    }

    private void died(LeaseId id) {
        sessions.vigil().forget(id);
        noteChange(id.value(), Long.MAX_VALUE);
        if (alive.remove(id) != null) {
            known.forEach((election, understood) -> {
                if (understood
                        .record()
                        .flatMap(LeaderRecord::lease)
                        .filter(id::equals)
                        .isPresent()) {
                    tell(election);
                }
            });
        }
    }

    /** Looks then, or sooner, for leaders whose time is over. */
    private void lookForDeathAt(OptionalLong nanos) {
        if (nanos.isEmpty() || closed) {
            return;
        }
        if (deaths.isPresent() && deathsNanos - nanos.getAsLong() <= 0) {
            return;
        }
        deaths.ifPresent(Timeline.Alarm::cancel);
        deathsNanos = nanos.getAsLong();
        deaths = Optional.of(timeline.at(deathsNanos + 1, () -> turns.take(this::lookForDeath)));
    }

    private void lookForDeath() {
        deaths = Optional.empty();
        Set<LeaseId> leading = new HashSet<>();
        known.values().forEach(one -> one.record().flatMap(LeaderRecord::lease).ifPresent(leading::add));
        alive.forEach((id, session) -> {
            OptionalLong end = sessions.vigil().endNanos(id);
            if (end.isPresent() && end.getAsLong() - timeline.nanos() >= 0) {
                lookForDeathAt(end);
            } else if (leading.contains(id)) {
                bury(id, session);
            }
        });
    }

    private void bury(LeaseId id, Stored session) {
        questions.bury(
                session,
                isBuried -> turns.take(() -> {
                    if (closed) {
                        return;
                    }
                    if (isBuried) {
                        died(id);
                    } else {
                        lookForDeathAt(OptionalLong.of(
                                timeline.nanos() + questions.requestTimeout().toNanos() / 2));
                    }
                }));
    }

    private void probeLater() {
        if (!isProbing) {
            isProbing = true;
            probeAt(timeline.nanos() + questions.requestTimeout().toNanos());
        }
    }

    private void probeAt(long nanos) {
        Timeline.Alarm unused = timeline.at(nanos, () -> turns.take(this::probe));
    }

    private void probe() {
        if (closed || audience.isEmpty()) {
            isProbing = false;
            return;
        }
        long now = timeline.nanos();
        long next = now + questions.requestTimeout().toNanos();
        long longest = 2 * questions.requestTimeout().toNanos();
        boolean isDead = unshown.filter(it -> now - it.sinceNanos() > longest).isPresent() || now - streamEndsNanos > 0;
        if (stream.isPresent() && isDead) {
            fallSilent();
        }
        if (stream.isEmpty()) {
            list();
            probeAt(next);
            return;
        }
        long probedAt = position;
        questions.ask(
                leases.first(Leases.ofKind(Kind.SESSION)),
                answer -> turns.take(() -> {
                    if (answer.isEmpty()) {
                        fallSilent();
                    } else if (answer.get().position() < probedAt) {
                        list();
                    }
                    probeAt(Math.max(next, timeline.nanos()));
                }));
    }
}
