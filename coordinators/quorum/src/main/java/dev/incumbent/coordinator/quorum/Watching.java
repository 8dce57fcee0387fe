package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The thread that asks a node to tell what changes, all watches in one request, which the node holds until there is something to tell, or a
 * request timeout has passed. Each answer proves that the watches are current as of its question.
 */
final class Watching implements AutoCloseable {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** What changed is proven with each answer; all that is watched, no oftener than this, and in this share of the time where that is long. */
    private static final long PROVES_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int SHARE = 20;
    private static final long STACK_BYTES = 256 << 10;

    private final Nodes nodes;
    private final Timeline timeline;
    private final long requestNanos;
    private final Link link;
    private final String id = UUID.randomUUID().toString();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<ElectionName, List<OneWatch>> watches = new TreeMap<>();
    private final Consumer<OneWatch> forgetting = this::forget;
    private Optional<Map<ElectionName, List<OneWatch>>> copied = Optional.empty();
    private final Set<ElectionName> toAdd = new LinkedHashSet<>();
    private final Set<ElectionName> toDrop = new LinkedHashSet<>();
    private boolean running;
    private boolean holding;
    private volatile boolean closed;

    private final Set<Nodes.Node> asked = new HashSet<>();
    private String position = "";
    private boolean isKnown;
    private boolean isCut;
    private long answeredAtNanos;
    private long provedAtNanos;
    private long provesEveryNanos;

    Watching(Nodes nodes, Link.Wiring wiring, long requestNanos) {
        this.nodes = nodes;
        this.timeline = wiring.timeline();
        this.requestNanos = requestNanos;
        this.link = new Link(nodes, wiring);
        this.answeredAtNanos = timeline.nanos();
        this.provedAtNanos = answeredAtNanos;
    }

    /** One request: the watches that it speaks for, and what it says. */
    private record Ask(
            Map<ElectionName, List<OneWatch>> watches,
            Set<ElectionName> added,
            Set<ElectionName> dropped,
            String body) {
        void tellAll(Consumer<OneWatch> what) {
            watches.values().forEach(those -> those.forEach(what));
        }
    }

    Watch watch(ElectionName election, Watcher watcher) {
        OneWatch watch = new OneWatch(election, watcher, forgetting);
        lock.lock();
        try {
            if (closed) {
                watch.silence();
                return watch;
            }
            watches.merge(election, List.of(watch), Watching::joined);
            copied = Optional.empty();
            toAdd.add(election);
            toDrop.remove(election);
            if (!running) {
                running = true;
                start();
            }
            wake();
        } finally {
            lock.unlock();
        }
        return watch;
    }

    private static List<OneWatch> joined(List<OneWatch> some, List<OneWatch> more) {
        List<OneWatch> all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }

    private void forget(OneWatch watch) {
        lock.lock();
        try {
            List<OneWatch> others = new ArrayList<>(watches.getOrDefault(watch.election(), List.of()));
            others.remove(watch);
            copied = Optional.empty();
            if (!others.isEmpty()) {
                watches.put(watch.election(), List.copyOf(others));
            } else if (watches.remove(watch.election()) != null) {
                toAdd.remove(watch.election());
                toDrop.add(watch.election());
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            watches.values().forEach(those -> those.forEach(OneWatch::silence));
            watches.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        link.close();
    }

    /** A request that is held does not know of what comes now: it is given up, and asked anew. Under the lock. */
    private void wake() {
        changed.signalAll();
        if (holding) {
            holding = false;
            link.interrupt();
        }
    }

    private void start() {
        Thread thread = new Thread(null, this::run, "incumbent-quorum-watch", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!closed) {
            Optional<Nodes.Node> node = nodes.next(asked);
            if (node.isEmpty()) {
                pause();
                asked.clear();
            } else {
                next().ifPresent(ask -> perform(ask, node.get()));
            }
        }
        link.drop();
    }

    /** What to ask now; waits while nothing is watched. None when closed. */
    private Optional<Ask> next() {
        lock.lock();
        try {
            while (watches.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            if (closed) {
                return Optional.empty();
            }
            holding = true;
            return Optional.of(new Ask(copied(), Set.copyOf(toAdd), Set.copyOf(toDrop), body()));
        } finally {
            lock.unlock();
        }
    }

    /** The watches as they are; copied once, however often is asked. Under the lock. */
    private Map<ElectionName, List<OneWatch>> copied() {
        if (copied.isEmpty()) {
            copied = Optional.of(new HashMap<>(watches));
        }
        return copied.get();
    }

    private String body() {
        long held = asked.isEmpty() ? TimeUnit.NANOSECONDS.toMillis(requestNanos) : 0;
        List<String> lines = new ArrayList<>();
        lines.add(Line.of(Words.SINCE, id, position, Long.toString(held)));
        if (isKnown) {
            lines.add(line(Words.DROP, toDrop));
        } else {
            Set<ElectionName> told = new LinkedHashSet<>(watches.keySet());
            told.removeAll(toAdd);
            lines.add(line(Words.ALL, told));
        }
        lines.add(line(Words.ADD, toAdd));
        return Line.body(lines);
    }

    private static String line(String word, Set<ElectionName> elections) {
        List<String> fields = new ArrayList<>(List.of(word));
        elections.forEach(election -> fields.add(election.value()));
        return Line.of(fields);
    }

    private void perform(Ask ask, Nodes.Node node) {
        long sentAt = timeline.nanos();
        long held = asked.isEmpty() ? requestNanos : 0;
        try {
            link.connect(node, sentAt + requestNanos / 2);
            if (isGivenUp()) {
                return;
            }
            HttpReply reply = link.exchange(Words.WATCH, ask.body(), sentAt + held + requestNanos / 2);
            release();
            if (reply.status() == 200) {
                asked.clear();
                heed(ask, Line.lines(reply.text()), sentAt);
            } else {
                unanswered(ask, node);
            }
        } catch (IOException e) {
            if (release()) {
                unanswered(ask, node);
            }
        }
    }

    private boolean isGivenUp() {
        lock.lock();
        try {
            return !holding;
        } finally {
            lock.unlock();
        }
    }

    /** False if the request was given up on purpose. */
    private boolean release() {
        lock.lock();
        try {
            boolean was = holding;
            holding = false;
            return was;
        } finally {
            lock.unlock();
        }
    }

    private void unanswered(Ask ask, Nodes.Node node) {
        link.drop();
        nodes.failed(node);
        asked.add(node);
        isKnown = false;
        if (!isCut && timeline.nanos() - answeredAtNanos > 2 * requestNanos - requestNanos / 8) {
            isCut = true;
        }
        if (isCut) {
            ask.tellAll(OneWatch::cut);
        }
    }

    private void heed(Ask ask, List<String> lines, long sentAt) {
        List<String> first = Line.fields(lines.get(0));
        isKnown = !first.get(0).equals(Words.WHO);
        if (!isKnown) {
            return;
        }
        settle(ask);
        answeredAtNanos = timeline.nanos();
        position = first.get(1);
        boolean forAll = isCut || answeredAtNanos - provedAtNanos >= provesEveryNanos;
        isCut = false;
        for (String line : lines.subList(1, lines.size())) {
            List<String> fields = Line.fields(line);
            if (fields.get(0).equals(Words.GAP)) {
                ask.tellAll(OneWatch::restored);
            } else {
                tell(ask, fields, sentAt);
            }
        }
        if (forAll) {
            ask.tellAll(watch -> watch.proveCurrentAsOf(sentAt));
            provedAtNanos = timeline.nanos();
            long share = Math.min(requestNanos / 4, (provedAtNanos - answeredAtNanos) * SHARE);
            provesEveryNanos = Math.max(PROVES_NANOS, share);
        }
    }

    private static void tell(Ask ask, List<String> fields, long sentAt) {
        List<Told> told = Told.all(fields, 2);
        ask.watches().getOrDefault(new ElectionName(fields.get(2)), List.of()).forEach(watch -> {
            watch.tell(Long.parseLong(fields.get(1)), told);
            watch.proveCurrentAsOf(sentAt);
        });
    }

    /** The node knows now what this request said. What was asked for once more meanwhile is said once more. */
    private void settle(Ask ask) {
        lock.lock();
        try {
            ask.added().stream()
                    .filter(election -> ask.watches()
                            .getOrDefault(election, List.of())
                            .containsAll(watches.getOrDefault(election, List.of())))
                    .forEach(toAdd::remove);
            toDrop.removeAll(ask.dropped());
        } finally {
            lock.unlock();
        }
    }

    private void pause() {
        lock.lock();
        try {
            long left = PAUSE_NANOS;
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
