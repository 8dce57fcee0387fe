package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.time.Timeline;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;

/**
 * The session behind one lease, over as many connections as it takes. ZooKeeper's client keeps it alive by itself; so that the lease still ends by its holder's
 * silence, the session is closed once nobody has asked to keep it alive for its length.
 *
 * <p>Each member grants what its own {@code maxSessionTimeout} allows, and the ensemble counts a session by what the member granted that resumed it last. So a
 * session is resumed for a keep-alive alone, and only at a member that has granted its whole length over a connection that still stands. While there is no such
 * connection, the session lives on unattended, for its length from the last keep-alive, and a <em>scout</em> looks for a member: a new session, which holds
 * nothing. A session that was resumed with less all the same is {@link #shortened()} for ever.
 */
final class LeaseSession implements Connection.Owner {
    /** ZooKeeper's client gives up an attempt to connect after a session's time: with less it would hardly ever connect. The servers make it longer. */
    private static final Duration SHORTEST_ASKED = Duration.ofMillis(500);

    private final Surroundings around;
    private final Connection connection;
    private Optional<Link.Session> session;
    private Duration timeout;
    private Optional<Timeline.Alarm> end = Optional.empty();
    private Optional<Resuming> resuming = Optional.empty();
    private Optional<InetSocketAddress> chosen = Optional.empty();
    private Optional<Duration> shortened = Optional.empty();
    private boolean scouts;
    private int keeping;
    private boolean over;

    /** A call for which the session is being resumed, and what it does should the session have ended. */
    private record Resuming(ZooKeeperCall<?> call, Runnable ifExpired) {}

    private LeaseSession(Surroundings around, Duration timeout, Optional<Link.Session> session) {
        this.around = around;
        this.timeout = timeout;
        this.session = session;
        this.connection = new Connection(around, this);
    }

    /** Begins a session of at least some length. */
    static LeaseSession begin(Surroundings around, Duration timeout) {
        Duration asked = timeout.compareTo(SHORTEST_ASKED) < 0 ? SHORTEST_ASKED : timeout;
        LeaseSession begun = new LeaseSession(around, asked, Optional.empty());
        begun.connection.open();
        return begun;
    }

    /** For a session that another client began, and that {@link #resume} goes on with. */
    static LeaseSession join(Surroundings around, Duration timeout, Link.Session session) {
        return new LeaseSession(around, timeout, Optional.of(session));
    }

    Connection connection() {
        return connection;
    }

    /** The length that was granted at its beginning, once connected. */
    Duration timeout() {
        return timeout;
    }

    /** The least that it was resumed with, if that was less than its length. */
    Optional<Duration> shortened() {
        return shortened;
    }

    /** It is gone at the servers, or was closed. */
    boolean isOver() {
        return over;
    }

    /**
     * Resumes the session over a connection that is begun after this call, and does something over that connection; or else {@code ifExpired} if the session has
     * ended. One at a time: who comes meanwhile waits, and begins a connection after that.
     */
    void resume(ZooKeeperCall<?> call, Consumer<Link> request, Runnable ifExpired) {
        if (call.isOver()) {
            return;
        }
        Optional<ZooKeeperCall<?>> before = resuming.map(Resuming::call);
        if (over) {
            ifExpired.run();
        } else if (before.isPresent() && !before.get().isOver()) {
            var unused = before.get()
                    .reply()
                    .whenComplete((value, failure) -> around.turns().execute(() -> resume(call, request, ifExpired)));
        } else {
            resuming = Optional.of(new Resuming(call, ifExpired));
            chosen = connection.link().flatMap(Link::server);
            connection.renew();
            connection.whenReady(call, request);
        }
    }

    /** The session at the member that was chosen, for that once; a scout where none is. */
    @Override
    public Link open(Link.Listener listener) {
        Optional<InetSocketAddress> at = chosen;
        chosen = Optional.empty();
        scouts = session.isPresent() && at.isEmpty();
        return session.isPresent() && at.isPresent()
                ? Link.resume(around, at.get(), timeout, session.get(), listener)
                : Link.open(around, timeout, listener);
    }

    @Override
    public void connected(Link link) {
        if (scouts) {
            scouted(link);
            return;
        }
        if (session.isEmpty()) {
            session = Optional.of(link.session());
            timeout = link.timeout();
        } else if (isShort(link)) {
            shortened = Optional.of(link.timeout());
        }
        connection.ready(link);
    }

    /** Where its member grants the whole length, a keep-alive that waits goes there now, and the next one later. No request is handed to a scout. */
    private void scouted(Link link) {
        if (isShort(link)) {
            connection.refused(link, Failures.wouldShorten(around.address(), timeout, link));
        } else if (resuming.filter(it -> !it.call().isOver()).isPresent()) {
            chosen = link.server();
            connection.renew();
        } else {
            connection.ready(link);
        }
    }

    private boolean isShort(Link link) {
        return link.timeout().compareTo(timeout) < 0;
    }

    Link.Session session() {
        return session.orElseThrow();
    }

    @Override
    public void broken(Link.Why why) {
        if (why == Link.Why.EXPIRED && !scouts) {
            leave();
            resuming.filter(it -> !it.call().isOver())
                    .ifPresent(it -> it.ifExpired().run());
        }
    }

    @Override
    public void changed(WatchedEvent event) {
        // It watches nothing.
    }

    /** A keep-alive is under way: the lease does not end by silence meanwhile. */
    void keeps() {
        keeping++;
        end.ifPresent(Timeline.Alarm::cancel);
    }

    /** It has ended, however: from now on the lease lasts for its length, and then {@code silence} is told. */
    void kept(Runnable silence) {
        keeping--;
        end.ifPresent(Timeline.Alarm::cancel);
        end = over
                ? Optional.empty()
                : Optional.of(around.after(timeout, () -> {
                    if (keeping == 0 && !over) {
                        silence.run();
                    }
                }));
    }

    /** Ends the session now; where only a scout is connected, by leaving it alone. */
    void close() {
        over = true;
        end.ifPresent(Timeline.Alarm::cancel);
        connection.close();
    }

    /** Lets the session live on until it is silent for too long. */
    void leave() {
        over = true;
        end.ifPresent(Timeline.Alarm::cancel);
        connection.leave();
    }
}
