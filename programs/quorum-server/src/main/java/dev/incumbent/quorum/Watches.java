package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.time.Timeline;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Holds clients' watches open until something they name has changed. Each begins with a linearizable question, so that its answer proves that
 * what it tells is current as of then. Thread-safe.
 */
final class Watches {
    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long LONGEST_HELD_MILLIS = 30_000;

    /** Characters of the names that all watches of a node have together. */
    static final long MOST_WATCHED = 16 << 20;

    /** What a name takes besides its characters, about. */
    static final int OF_A_NAME = 100;

    private final Replica replica;
    private final SharedTable table;
    private final Timeline timeline;
    private final Map<String, Watched> all = new ConcurrentHashMap<>();

    Watches(Replica replica, SharedTable table, Timeline timeline) {
        this.replica = replica;
        this.table = table;
        this.timeline = timeline;
        table.listen(this::wake);
    }

    /** What one client watches, and its request that is held now. */
    private static final class Watched {
        private final Set<String> names = Collections.newSetFromMap(new ConcurrentHashMap<>());
        private volatile CompletableFuture<Void> held = CompletableFuture.completedFuture(null);
        private volatile long askedAtNanos;
        private volatile long size;

        private Watched(long askedAtNanos) {
            this.askedAtNanos = askedAtNanos;
        }

        private long size() {
            return size;
        }

        private void measure() {
            size = names.stream().mapToLong(name -> name.length() + OF_A_NAME).sum();
        }
    }

    /** The answer to a watch's request; one that begins with {@link Words#LATER} where no majority could be asked. */
    CompletableFuture<String> answer(String body, long withinMillis) {
        List<List<String>> lines = Parts.lines(body).stream().map(Line::fields).toList();
        String id = lines.get(0).get(1);
        String since = lines.get(0).get(2);
        long heldMillis =
                Math.min(LONGEST_HELD_MILLIS, Long.parseLong(lines.get(0).get(3)));
        Set<String> added = new HashSet<>();
        boolean isWhole = lines.size() > 1 && lines.get(1).get(0).equals(Words.ALL);
        if (!isWhole && !all.containsKey(id)) {
            return CompletableFuture.completedFuture(Line.body(List.of(Words.WHO)));
        }
        Watched watched = all.computeIfAbsent(id, one -> new Watched(timeline.nanos()));
        note(watched, lines, added);
        if (lines.size() > 1 && all.values().stream().mapToLong(Watched::size).sum() > MOST_WATCHED) {
            all.remove(id);
            return CompletableFuture.completedFuture(
                    Line.of(Words.LATER, "as many elections are watched at this node as it has room for"));
        }
        long barrierMillis = Math.max(1, withinMillis - heldMillis);
        return replica.read(Words.AT)
                .completeOnTimeout(Line.of(Words.LATER, "no majority answers"), barrierMillis, TimeUnit.MILLISECONDS)
                .thenCompose(at -> Line.fields(at).get(0).equals(Words.AT)
                        ? hold(watched, since, added, heldMillis)
                        : CompletableFuture.completedFuture(at));
    }

    private void note(Watched watched, List<List<String>> lines, Set<String> added) {
        watched.askedAtNanos = timeline.nanos();
        all.values().removeIf(one -> timeline.nanos() - one.askedAtNanos > FORGOTTEN_NANOS);
        for (List<String> line : lines.subList(1, lines.size())) {
            List<String> names = line.subList(1, line.size());
            switch (line.get(0)) {
                case Words.ALL -> {
                    watched.names.clear();
                    watched.names.addAll(names);
                }
                case Words.DROP -> names.forEach(watched.names::remove);
                case Words.ADD -> {
                    watched.names.addAll(names);
                    added.addAll(names);
                }
                default -> throw new IllegalArgumentException("no line of a watch begins with " + line.get(0));
            }
        }
        if (lines.size() > 1) {
            watched.measure();
        }
    }

    private CompletableFuture<String> hold(Watched watched, String since, Set<String> added, long heldMillis) {
        CompletableFuture<Void> change = new CompletableFuture<>();
        watched.held.complete(null);
        watched.held = change;
        List<String> now = table.changes(since, watched.names, added);
        if (now.size() > 1 || heldMillis == 0) {
            return CompletableFuture.completedFuture(Line.body(now));
        }
        return change.completeOnTimeout(null, heldMillis, TimeUnit.MILLISECONDS)
                .thenApply(woken -> Line.body(table.changes(since, watched.names, Set.of())));
    }

    /** How many requests it holds now. */
    long heldCount() {
        return all.values().stream().filter(one -> !one.held.isDone()).count();
    }

    private void wake(Set<String> changed) {
        for (Watched watched : all.values()) {
            if (!watched.held.isDone() && changed.stream().anyMatch(watched.names::contains)) {
                watched.held.completeAsync(() -> null);
            }
        }
    }
}
