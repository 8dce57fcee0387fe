package dev.incumbent.coordinator.consul;

import dev.incumbent.consul.Answer;
import dev.incumbent.consul.ConsulClient;
import dev.incumbent.consul.Question;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Watches elections by one blocking query for the names of all keys, held open for one request timeout at a time. It only wakes: what its answer shows to have changed
 * is read again, one reading after another, and that is told.
 *
 * <p>All state belongs to the one thread of answers.
 */
final class Watches {
    /** Between two questions, so that a busy store is not asked without pause. */
    private static final Duration BREATH = Duration.ofMillis(5);

    private final ConsulClient consul;
    private final Keys keys;
    private final Function<Set<ElectionName>, CompletionStage<Map<ElectionName, Reading>>> reader;
    private final EndedLeases ended;
    private final AnswerThread thread;
    private final Duration requestTimeout;

    private final Map<ElectionName, List<Watching>> audience = new HashMap<>();
    private final Map<ElectionName, Known> known = new HashMap<>();
    private final Set<ElectionName> toRead = new LinkedHashSet<>();
    private Listing last = Listing.NONE;
    private long index;
    private boolean asking;
    private boolean reading;
    private boolean silent;

    Watches(
            ConsulClient consul,
            Keys keys,
            Function<Set<ElectionName>, CompletionStage<Map<ElectionName, Reading>>> reader,
            EndedLeases ended,
            AnswerThread thread) {
        this.consul = consul;
        this.keys = keys;
        this.reader = reader;
        this.ended = ended;
        this.thread = thread;
        this.requestTimeout = thread.requestTimeout();
    }

    Watch watch(ElectionName election, Watcher watcher) {
        Watching watching = new Watching(election, watcher, it -> consul.execute(() -> forget(it)));
        consul.execute(() -> {
            audience.computeIfAbsent(election, it -> new ArrayList<>()).add(watching);
            toRead.add(election);
            read();
            ask();
        });
        return watching;
    }

    private void forget(Watching watching) {
        List<Watching> others = audience.getOrDefault(watching.election(), new ArrayList<>());
        others.remove(watching);
        if (others.isEmpty()) {
            audience.remove(watching.election());
            known.remove(watching.election());
            toRead.remove(watching.election());
        }
    }

    // The query that wakes.

    private void ask() {
        if (asking || audience.isEmpty()) {
            return;
        }
        asking = true;
        long wait = requestTimeout.toMillis();
        // Consul adds up to a sixteenth to the wait, so that not all wake at once.
        long bound = requestTimeout.toNanos() * 17 / 16 + requestTimeout.toNanos() / 2;
        String path = "/v1/kv/" + keys.all() + "?keys&consistent&index=" + index + "&wait=" + wait + "ms";
        Question question = Question.get(
                        path, "watching " + keys.all(), thread.timeline().nanos() + bound)
                .urgently();
        consul.ask(question)
                .whenComplete((answer, failure) -> consul.execute(() -> {
                    asking = false;
                    if (failure == null && (answer.isOk() || answer.isNoKey())) {
                        wake(answer);
                        thread.after(BREATH, this::ask);
                    } else {
                        fallSilent();
                        thread.after(requestTimeout.dividedBy(4), this::ask);
                    }
                }));
    }

    private void wake(Answer answer) {
        long now = Math.max(1, answer.index().orElse(1));
        boolean wentBack = now < index;
        if (wentBack) {
            audience.values().forEach(Watches::tellGap);
        }
        Listing listing = Listing.of(keys, ConsulClient.names(answer));
        boolean isWithin = now != index && listing.hasTheNamesOf(last);
        for (ElectionName election : audience.keySet()) {
            Known before = known.get(election);
            boolean isAsShown = before != null && before.isShownBy(listing, election);
            if (wentBack || silent || isWithin || !isAsShown) {
                toRead.add(election);
            }
        }
        silent = false;
        last = listing;
        ended.seen(listing.ended());
        index = wentBack ? 0 : now;
        read();
    }

    /** Tells once that nothing is known for now. What is missed meanwhile is found by the next answer. */
    private void fallSilent() {
        if (!silent) {
            silent = true;
            index = 0;
            audience.values().forEach(Watches::tellGap);
        }
    }

    // The readings that tell.

    private void read() {
        if (reading || toRead.isEmpty()) {
            return;
        }
        reading = true;
        Set<ElectionName> asked = Set.copyOf(toRead);
        toRead.clear();
        reader.apply(asked)
                .whenComplete((readings, failure) -> consul.execute(() -> {
                    reading = false;
                    Set<ElectionName> unread = new HashSet<>(asked);
                    if (failure == null) {
                        readings.forEach((election, it) -> Known.of(it).ifPresent(now -> {
                            unread.remove(election);
                            learn(election, now);
                        }));
                    }
                    unread.retainAll(audience.keySet());
                    unread.forEach(election -> tellGap(audience.getOrDefault(election, List.of())));
                    if (unread.isEmpty()) {
                        read();
                    } else {
                        thread.after(requestTimeout.dividedBy(4), () -> {
                            toRead.addAll(unread);
                            toRead.retainAll(audience.keySet());
                            read();
                        });
                    }
                }));
    }

    private void learn(ElectionName election, Known now) {
        List<Watching> watchings = audience.get(election);
        if (watchings == null) {
            return;
        }
        Optional<Known> before = Optional.ofNullable(known.put(election, now));
        boolean isNews = before.isEmpty() || !now.isAs(before.get());
        boolean wentBack = before.isPresent() && now.isBehind(before.get());
        for (Watching watching : List.copyOf(watchings)) {
            if (wentBack || (isNews && now.told().isEmpty())) {
                watching.tell(Watcher::gap);
            }
            if (isNews || !watching.isBegun()) {
                now.told().ifPresent(record -> watching.tellState(Optional.of(record)));
            }
        }
    }

    private static void tellGap(Collection<Watching> watchings) {
        List.copyOf(watchings).forEach(watching -> watching.tell(Watcher::gap));
    }
}
