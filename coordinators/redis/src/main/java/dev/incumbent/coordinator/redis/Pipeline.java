package dev.incumbent.coordinator.redis;

import dev.incumbent.calls.Call;
import dev.incumbent.calls.Server;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.redis.ServerAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * One connection to one server, over which requests go together: it sends those that wait, and then reads their answers in order. Each is sent once at most.
 *
 * <p>When nobody waits any more for the answers that are still out, the connection ends with them, and the next request connects anew.
 */
final class Pipeline implements Server<RequestCall<?>> {
    private static final int TOGETHER = 64;

    private final Place place;
    private final Duration requestTimeout;
    private volatile Optional<Link> link = Optional.empty();
    private volatile String life = "";

    Pipeline(Place place, Duration requestTimeout) {
        this.place = place;
        this.requestTimeout = requestTimeout;
        place.whenMoved(this::leave);
    }

    /** Which life of the server answers; empty before the first connection. */
    String life() {
        return life;
    }

    @Override
    public void take(Deque<RequestCall<?>> waiting, List<RequestCall<?>> together) {
        while (!waiting.isEmpty() && together.size() < TOGETHER) {
            together.add(waiting.removeFirst());
        }
    }

    @Override
    public Runnable serve(List<RequestCall<?>> together) {
        try {
            Link open = open(together);
            receive(open, send(open, together));
        } catch (CoordinatorException noConnection) {
            drop();
            together.forEach(call -> call.fail(noConnection));
        } catch (JedisConnectionException broken) {
            ServerAddress at = link.orElseThrow().at();
            drop();
            together.forEach(
                    call -> call.fail("ended", (why, mayHaveApplied) -> Failures.broken(at, broken, mayHaveApplied)));
        } catch (RuntimeException | Error unexpected) {
            drop(); // An answer that was not read would be taken for that of the next request.
            throw unexpected;
        }
        return () -> {};
    }

    /** The connection there is, or a new one. Whoever ends the calls and finds no connection to end is noticed here. */
    private Link open(List<RequestCall<?>> together) {
        Optional<Link> before = link.filter(Link::isOpen);
        if (before.isPresent()) {
            return before.get();
        }
        ServerAddress at = place.find();
        Link fresh = new Link(at, place.role(), place.addresses(at));
        link = Optional.of(fresh);
        if (isOver(together)) {
            throw new CoordinatorException("nobody waits for the connection to " + fresh.at(), false);
        }
        life = fresh.open(requestTimeout).runId();
        return fresh;
    }

    /** Those that were not over by then. */
    private static List<RequestCall<?>> send(Link open, List<RequestCall<?>> together) {
        List<RequestCall<?>> sent = new ArrayList<>(together.size());
        for (RequestCall<?> call : together) {
            if (call.send()) {
                sent.add(call);
                open.send(call.request());
            }
        }
        return sent;
    }

    private void receive(Link open, List<RequestCall<?>> sent) {
        for (int i = 0; i < sent.size(); i++) {
            if (isOver(sent.subList(i, sent.size()))) {
                drop();
                return;
            }
            receive(open, sent.get(i));
        }
    }

    private void receive(Link open, RequestCall<?> call) {
        try {
            call.hear(open.receive());
        } catch (JedisDataException error) {
            String said = String.valueOf(error.getMessage());
            call.fail(Failures.refused(open.at(), said, call.writes()));
            if (said.startsWith("READONLY")) {
                open.leave();
            }
        }
    }

    private static boolean isOver(List<RequestCall<?>> calls) {
        return calls.stream().allMatch(Call::isOver);
    }

    /** Ends the connection there is; the next request makes another. */
    private void drop() {
        link.ifPresent(Link::abort);
        link = Optional.empty();
    }

    /** The server is somewhere else now: the connection to where it was ends. */
    private void leave(ServerAddress forThis) {
        link.filter(one -> !one.at().equals(forThis)).ifPresent(Link::abort);
    }

    @Override
    public void abandoned() {
        link.ifPresent(Link::leave);
    }

    @Override
    public void aborted() {
        link.ifPresent(Link::abort);
    }

    @Override
    public void leave() {
        drop();
    }
}
