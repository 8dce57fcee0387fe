package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;

/**
 * Keeps one link after the other, and the calls that wait for one. A call that is still waiting at its deadline was never sent. Belongs to the coordinator's
 * thread.
 */
final class Connection implements Link.Listener {
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration PAUSE_IN_TROUBLE = Duration.ofSeconds(1);
    private static final Duration SHORTEST_ATTEMPT = Duration.ofSeconds(1);

    private final Surroundings around;
    private final Owner owner;
    private final Map<ZooKeeperCall<?>, Consumer<Link>> waiting = new LinkedHashMap<>();
    private Optional<Link> link = Optional.empty();
    private Optional<Timeline.Alarm> next = Optional.empty();
    private Optional<CoordinatorUnusableException> trouble = Optional.empty();
    private boolean ready;
    private boolean closed;
    private long openedAtNanos;

    /** Whose links these are. */
    interface Owner {
        /** Begins to connect. */
        Link open(Link.Listener listener);

        /** Prepares a link that is connected, and says then that it is {@link Connection#ready}. */
        void connected(Link link);

        /** A link that was ready has ended; the next is under way unless the connection is closed. */
        void broken(Link.Why why);

        void changed(WatchedEvent event);
    }

    Connection(Surroundings around, Owner owner) {
        this.around = around;
        this.owner = owner;
    }

    void open() {
        if (closed) {
            return;
        }
        openedAtNanos = around.nanos();
        Link opened = owner.open(this);
        link = Optional.of(opened);
        Duration attempt = around.requestTimeout().multipliedBy(2);
        next(attempt.compareTo(SHORTEST_ATTEMPT) < 0 ? SHORTEST_ATTEMPT : attempt, () -> {
            if (isCurrent(opened) && !ready) {
                drop();
                open();
            }
        });
    }

    boolean isReady() {
        return ready;
    }

    /** The link, while it is ready. */
    Optional<Link> link() {
        return ready ? link : Optional.empty();
    }

    boolean isCurrent(Link some) {
        return link.isPresent() && link.get() == some;
    }

    /** Does it when the link is ready, unless the call ends before. */
    void whenReady(ZooKeeperCall<?> call, Consumer<Link> request) {
        if (call.isOver()) {
            return;
        }
        if (ready) {
            request.accept(link.orElseThrow());
        } else if (trouble.isPresent() && link.isEmpty()) {
            call.fail(trouble.get());
        } else {
            waiting.put(call, request);
        }
    }

    /** The call waits no more. */
    void forget(ZooKeeperCall<?> call) {
        waiting.remove(call);
    }

    /** Its link serves calls from now on. */
    void ready(Link prepared) {
        if (!isCurrent(prepared)) {
            return;
        }
        ready = true;
        trouble = Optional.empty();
        List<Map.Entry<ZooKeeperCall<?>, Consumer<Link>>> due = new ArrayList<>(waiting.entrySet());
        waiting.clear();
        for (var one : due) {
            whenReady(one.getKey(), one.getValue());
        }
    }

    /** Trying again at once would not help: whoever waits is told why. */
    void refused(Link by, CoordinatorUnusableException why) {
        if (!isCurrent(by)) {
            return;
        }
        trouble = Optional.of(why);
        drop();
        List<ZooKeeperCall<?>> all = new ArrayList<>(waiting.keySet());
        waiting.clear();
        all.forEach(call -> call.fail(why));
        next(PAUSE_IN_TROUBLE, this::open);
    }

    /** A call was sent and got no answer: a link over which nothing at all was heard since is given up. */
    void suspect(long sentAtNanos) {
        if (ready && link.isPresent() && link.get().heardAtNanos() - sentAtNanos < 0) {
            renew();
        }
    }

    /** Gives the link up for another. */
    void renew() {
        drop();
        owner.broken(Link.Why.DISCONNECTED);
        open();
    }

    /** Ends the connection, and lets the session live. */
    void leave() {
        closed = true;
        drop();
    }

    /** Ends the connection and its session. */
    void close() {
        closed = true;
        link.ifPresent(Link::close);
        drop();
    }

    private void drop() {
        ready = false;
        link.ifPresent(Link::leave);
        link = Optional.empty();
        next.ifPresent(Timeline.Alarm::cancel);
        next = Optional.empty();
    }

    private void next(Duration wait, Runnable turn) {
        next.ifPresent(Timeline.Alarm::cancel);
        next = Optional.of(around.after(wait, turn));
    }

    @Override
    public void connected(Link connected) {
        if (isCurrent(connected)) {
            owner.connected(connected);
        }
    }

    @Override
    public void ended(Link ended, Link.Why why) {
        if (!isCurrent(ended)) {
            return;
        }
        if (why == Link.Why.REFUSED_CREDENTIALS) {
            refused(ended, Failures.refusedCredentials(around.address()));
            return;
        }
        drop();
        owner.broken(why);
        boolean wasShort = around.nanos() - openedAtNanos < PAUSE.toNanos();
        if (closed) {
            return;
        }
        if (wasShort) {
            next(PAUSE, this::open);
        } else {
            open();
        }
    }

    @Override
    public void changed(Link by, WatchedEvent event) {
        if (isCurrent(by)) {
            owner.changed(event);
        }
    }
}
