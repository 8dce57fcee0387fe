package dev.incumbent.fence.sql;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A database server as leaders and operators see it.
 *
 * <p>At most {@link Lanes#MOST} daemon threads, each on a connection of its own, do the work; callers never block. A question that was not answered within the
 * bound ends in a {@link SinkException}; a raise names whom it waited for. A connection that fails is given up, and the question asked once more on another:
 * each may be repeated.
 */
final class ServerSink implements Sink {
    /** Where in its bound a raise that still waits looks for its blocker. */
    private static final double LOOKS_AT = 0.4;
    /** How much later it looks again if it found none. */
    private static final double LOOKS_AGAIN_AFTER = 0.1;
    /** Where in its bound it ends its wait, so that it can still tell of the blocker. */
    private static final double GIVES_UP_AT = 0.85;

    private final Server server;
    private final Duration bound;
    private final Lanes lanes;
    private final Lanes lookout;

    ServerSink(Server server, Duration bound) {
        this.server = server;
        this.bound = bound;
        this.lanes = new Lanes(server, bound, Lanes.MOST);
        this.lookout = new Lanes(server, bound, 1);
    }

    /** Whom a raise waits for, once that is found out; or why it could not be. */
    private static final class Blocker {
        private volatile String name = "";
        private volatile @Nullable Throwable unknownFor;
    }

    /** What is asked of a connection. May be asked again of another one. */
    interface Question<T> {
        T of(Connection connection) throws SQLException;

        /** The same over a connection that was just made. */
        default T first(Connection connection) throws SQLException {
            return of(connection);
        }
    }

    /** A raise. Its session stays on the server where it does not end in time, so it comes beside a few others at most. */
    private record Raising(Server server, Server.RaiseAsked asked, Duration bound) implements Question<Raise> {
        @Override
        public Raise of(Connection connection) throws SQLException {
            return server.raise(connection, asked, part(bound, GIVES_UP_AT));
        }

        @Override
        public Raise first(Connection connection) throws SQLException {
            server.refuseUnfinished(connection, bound);
            return of(connection);
        }
    }

    @Override
    public CompletionStage<SinkId> id() {
        return ask("reading its id", server::id, new Blocker());
    }

    @Override
    public String label() {
        return server.label();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return raise(election, mark, Duration.ZERO);
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark, Duration lease) {
        var blocker = new Blocker();
        var asked = new Server.RaiseAsked(election, mark, lease);
        CompletableFuture<Raise> answer =
                ask("raising " + election + " to " + mark, new Raising(server, asked, bound), blocker);
        lookAfter(LOOKS_AT, answer, election, blocker);
        return answer;
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        Set<ElectionName> asked = Set.copyOf(elections);
        return ask("reading its marks", there -> server.marks().of(there, asked), new Blocker());
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return ask("reading its marks", there -> server.marks().all(there), new Blocker());
    }

    @Override
    public void close() {
        lanes.close();
        lookout.close();
    }

    private <T> CompletableFuture<T> ask(String doing, Question<T> question, Blocker blocker) {
        CompletableFuture<T> answer = lanes.ask(question, failure -> failed(doing, failure, blocker));
        CompletableFuture.delayedExecutor(bound.toNanos(), TimeUnit.NANOSECONDS)
                .execute(() -> giveUp(answer, doing, blocker));
        return answer;
    }

    private SinkException failed(String doing, SQLException failure, Blocker blocker) {
        return server.isWaitOver(failure) || isUnanswered(failure)
                ? gaveUp(doing, blocker, failure)
                : new SinkException(label() + ": " + doing + " failed: " + server.meaning(failure), failure);
    }

    /** The connection waited as long as the question may, and for nothing: both clocks end at about the same time. */
    private static boolean isUnanswered(SQLException failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof SocketTimeoutException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    private void giveUp(CompletableFuture<?> answer, String doing, Blocker blocker) {
        if (!answer.isDone()) {
            answer.completeExceptionally(gaveUp(doing, blocker, null));
        }
    }

    private SinkException gaveUp(String doing, Blocker blocker, @Nullable SQLException failure) {
        String name = blocker.name;
        String text = label() + ": " + doing + " gave up after " + bound.toMillis() + " ms"
                + (name.isEmpty() ? "" : "; it waits for " + name);
        SinkException gaveUp = failure == null ? new SinkException(text) : new SinkException(text, failure);
        Throwable unknown = blocker.unknownFor;
        if (name.isEmpty() && unknown != null) {
            gaveUp.addSuppressed(unknown);
        }
        return gaveUp;
    }

    /** Looks for the blocker on a connection of its own, since that of the raise waits. A raise may begin to wait late: so it looks again if it found none. */
    private void lookAfter(double partOfBound, CompletableFuture<?> raise, ElectionName election, Blocker blocker) {
        CompletableFuture.delayedExecutor(part(bound, partOfBound).toNanos(), TimeUnit.NANOSECONDS)
                .execute(() -> look(raise, election, blocker));
    }

    private void look(CompletableFuture<?> raise, ElectionName election, Blocker blocker) {
        if (raise.isDone()) {
            return;
        }
        var unused = lookout.ask(
                        connection -> server.blocker(connection, election),
                        failure -> new SinkException(
                                label() + ": whom it waits for could not be found out: " + server.meaning(failure),
                                failure))
                .whenComplete((found, failure) -> {
                    if (failure == null && found.isPresent()) {
                        blocker.name = found.get();
                    } else {
                        blocker.unknownFor = failure;
                        lookAfter(LOOKS_AGAIN_AFTER, raise, election, blocker);
                    }
                });
    }

    private static Duration part(Duration bound, double of) {
        return Duration.ofNanos((long) (bound.toNanos() * of));
    }
}
