package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.redis.ServerAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Listens to what writers publish, on a thread and a connection of its own, so that a change is looked at within a millisecond. Nothing is believed for it: what
 * is published while the connection is broken is found by the next look.
 */
final class WakeUps implements AutoCloseable {
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(250);

    private final Place place;
    private final String channel;
    private final Duration requestTimeout;
    private final Poller poller;
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile Optional<Link> link = Optional.empty();
    private volatile boolean listening;

    WakeUps(Place place, String channel, Duration requestTimeout, Poller poller) {
        this.place = place;
        this.channel = channel;
        this.requestTimeout = requestTimeout;
        this.poller = poller;
        place.whenMoved(at -> link.filter(one -> !one.at().equals(at)).ifPresent(Link::abort));
    }

    /** Is a change told by a message, as far as is known? */
    boolean isListening() {
        return listening;
    }

    void start() {
        if (!started.getAndSet(true)) {
            Thread thread = new Thread(this::run, "incumbent-redis-wake-ups");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Listens anew: this connection seems to be deaf. */
    void restart() {
        listening = false;
        link.ifPresent(Link::abort);
    }

    private void run() {
        try {
            do {
                listen();
            } while (!closing.await(BETWEEN_ATTEMPTS.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen() {
        try {
            ServerAddress at = place.find();
            Link fresh = new Link(at, place.role(), place.addresses(at));
            link = Optional.of(fresh);
            if (closing.getCount() == 0) {
                return;
            }
            fresh.open(requestTimeout);
            fresh.send(Request.of(Command.SUBSCRIBE, channel));
            while (true) {
                hear(Reply.of(fresh.receive()));
            }
        } catch (CoordinatorException | JedisConnectionException | JedisDataException notNow) {
            // The looks at the store tell whoever asks; here it is only tried again.
        } finally {
            listening = false;
            link.ifPresent(Link::abort);
        }
    }

    private void hear(Reply message) {
        List<Reply> parts = message.items();
        if (!parts.get(0).text().equals("message")) {
            listening = true;
            poller.lookNow();
            return;
        }
        String[] words = parts.get(2).text().split(" ", 2);
        try {
            if (words[0].equals("election")) {
                poller.changed(new ElectionName(words[1]));
            } else if (words[0].equals("lease")) {
                poller.ended(new LeaseId(words[1]));
            }
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException foreign) {
            // A message of somebody else's on our channel wakes nobody.
        }
    }

    @Override
    public void close() {
        closing.countDown();
        link.ifPresent(Link::abort);
    }
}
