package dev.incumbent.coordinator.sql;

import dev.incumbent.calls.Server;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Serves calls with one session: each by itself, or several as one statement. */
final class ServerStatements implements Server<Request<?>> {
    private final ServerStore store;
    private final Timeline timeline;
    private final Consumer<List<Request<?>>> again;
    private final Consumer<ServerSession> left;
    private volatile Optional<ServerSession> session = Optional.empty();

    /**
     * Nothing is connected yet.
     *
     * @param again takes back calls of which nothing was done
     * @param left hears of the session when the lane closes while calls are served; it is to be aborted then, which may block
     */
    ServerStatements(
            ServerStore store, Timeline timeline, Consumer<List<Request<?>>> again, Consumer<ServerSession> left) {
        this.store = store;
        this.timeline = timeline;
        this.again = again;
        this.left = left;
    }

    @Override
    public void take(Deque<Request<?>> waiting, List<Request<?>> together) {
        Sharing.take(waiting, together);
    }

    /** Answers are told once the thread is free: who hears one and calls again shall find it, and its session, free. */
    @Override
    public Runnable serve(List<Request<?>> requests) {
        try {
            return requests.size() == 1 ? performed(requests.get(0)) : performedTogether(requests);
        } catch (RuntimeException | Error e) {
            broke();
            throw e;
        }
    }

    @Override
    public void aborted() {
        session.ifPresent(left);
    }

    @Override
    public void leave() {
        session.ifPresent(current -> current.leave(store.generation()));
        session = Optional.empty();
    }

    /** Lets a call run; what answers it. */
    private Runnable performed(Request<?> request) {
        ServerSession current;
        try {
            current = boundedBy(request);
        } catch (CoordinatorException unconnected) {
            return () -> request.fail(unconnected);
        } catch (SQLException e) {
            broke();
            return () -> request.fail(store.failure(e, false));
        }
        return request.send() ? sent(request, current) : () -> {};
    }

    private Runnable sent(Request<?> request, ServerSession current) {
        try {
            return request.run(current);
        } catch (CoordinatorException outcome) {
            return () -> request.fail(outcome);
        } catch (SQLException e) {
            Dialect.Failure meaning = store.dialect().meaning(e);
            doubtIf(request.writes(), meaning);
            if (meaning.endsSession()) {
                broke();
                if (request.repeats()) {
                    return () -> again.accept(List.of(request));
                }
            } else if (meaning == Dialect.Failure.READ_ONLY) {
                store.serverTakesNoWrites();
            }
            return () -> request.fail(store.failure(e, request.writes()));
        }
    }

    /** Lets calls run as one statement; who was left out goes alone. What the server refuses as a whole was not done. */
    private Runnable performedTogether(List<Request<?>> requests) {
        List<Request<?>> sent = new ArrayList<>();
        try {
            ServerSession current = boundedBy(requests.get(0));
            requests.stream().filter(Request::send).forEach(sent::add);
            return sent.isEmpty() ? () -> {} : shared(sent, current);
        } catch (CoordinatorException unconnected) {
            return () -> requests.forEach(request -> request.fail(unconnected));
        } catch (SQLException e) {
            Dialect.Failure meaning = store.dialect().meaning(e);
            doubtIf(!sent.isEmpty(), meaning);
            if (meaning.endsSession()) {
                broke();
            } else if (meaning != Dialect.Failure.ALONE) {
                return () -> leaveAlone(requests);
            }
            return () -> requests.forEach(request -> request.fail(store.failure(e, sent.contains(request))));
        }
    }

    private void doubtIf(boolean isWrite, Dialect.Failure meaning) {
        if (isWrite && (meaning == Dialect.Failure.UNKNOWN || meaning == Dialect.Failure.ALONE)) {
            store.doubted();
        }
    }

    private Runnable shared(List<Request<?>> sent, ServerSession current) throws SQLException {
        List<Runnable> answers = new ArrayList<>();
        List<Request<?>> leftOut = Sharing.perform(sent, current, answers);
        return () -> {
            answers.forEach(Runnable::run);
            leaveAlone(leftOut);
        };
    }

    private void leaveAlone(List<Request<?>> requests) {
        requests.forEach(Request::goAlone);
        again.accept(requests);
    }

    /** A session that is not known to be broken, where no answer is awaited for longer than that call. */
    private ServerSession boundedBy(Request<?> earliest) throws SQLException {
        if (session.isEmpty() || session.get().generation() != store.generation()) {
            leave();
            session = Optional.of(store.connect());
        }
        ServerSession current = session.get();
        current.bound(Duration.ofNanos(earliest.deadlineNanos() - timeline.nanos()));
        return current;
    }

    private void broke() {
        store.connectionBroke();
        session.ifPresent(ServerSession::abort);
        leave();
    }
}
