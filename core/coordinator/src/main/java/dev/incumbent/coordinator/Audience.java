package dev.incumbent.coordinator;

import dev.incumbent.model.ElectionName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Who watches which election, for an adapter that looks at all of them at once. Thread-safe; calls nobody under its lock. */
public final class Audience {
    private final Object lock = new Object();
    private final Map<ElectionName, List<Watching>> watchings = new HashMap<>();
    private final Consumer<Watching> forgetting = this::forget;
    private Optional<Map<ElectionName, List<Watching>>> copied = Optional.empty();

    /** Of nobody. */
    public Audience() {}

    /** One more watch, until it is closed. */
    public Watching join(ElectionName election, Watcher watcher) {
        Watching watching = new Watching(election, watcher, forgetting);
        synchronized (lock) {
            watchings.merge(election, List.of(watching), Audience::joined);
            copied = Optional.empty();
        }
        return watching;
    }

    /** Who watches, as of now: it does not change any more. */
    public Map<ElectionName, List<Watching>> now() {
        synchronized (lock) {
            if (copied.isEmpty()) {
                copied = Optional.of(Map.copyOf(watchings));
            }
            return copied.get();
        }
    }

    /** Who watches this election, as of now. */
    public List<Watching> of(ElectionName election) {
        synchronized (lock) {
            return watchings.getOrDefault(election, List.of());
        }
    }

    /** Tells everybody who watches now, by the calling thread. */
    public void tellAll(Consumer<Watcher> what) {
        now().values().forEach(all -> all.forEach(watching -> watching.tell(what)));
    }

    public boolean isEmpty() {
        synchronized (lock) {
            return watchings.isEmpty();
        }
    }

    /** Nobody watches any more. */
    public void clear() {
        synchronized (lock) {
            watchings.clear();
            copied = Optional.empty();
        }
    }

    private void forget(Watching watching) {
        synchronized (lock) {
            List<Watching> others = new ArrayList<>(watchings.getOrDefault(watching.election(), List.of()));
            others.remove(watching);
            if (others.isEmpty()) {
                watchings.remove(watching.election());
            } else {
                watchings.put(watching.election(), List.copyOf(others));
            }
            copied = Optional.empty();
        }
    }

    private static List<Watching> joined(List<Watching> some, List<Watching> more) {
        List<Watching> all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }
}
