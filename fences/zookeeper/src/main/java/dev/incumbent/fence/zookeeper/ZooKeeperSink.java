package dev.incumbent.fence.zookeeper;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import dev.incumbent.zookeeper.ZooKeeperUri;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/**
 * Nodes of ZooKeeper as leaders and operators see them. A raise waits for nobody: what is admitted here is written in the same step.
 *
 * <p>One daemon thread of its own asks, one question after another, beside the client's two; callers never block. A question whose connection ended is asked again
 * within its bound: each may be repeated.
 */
final class ZooKeeperSink implements Sink {
    private static final int MOST_WAITING = 256;
    private static final int SESSION_MILLIS = 4_000;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ZooKeeperUri url;
    private final Duration bound;
    private final Marks marks;
    private final Owner owner;
    private final ThreadPoolExecutor worker;
    private Optional<ZooKeeper> current = Optional.empty();

    ZooKeeperSink(ZooKeeperUri url, Duration bound) {
        this.url = url;
        this.bound = bound;
        this.marks = new Marks(url.root());
        this.owner = Owner.at(url);
        this.worker = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), this::newThread);
    }

    private Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "incumbent " + label());
        thread.setDaemon(true);
        return thread;
    }

    /** One question, which may be asked again; empty says that it must be. */
    @FunctionalInterface
    private interface Question<T> {
        Optional<T> of(ZooKeeper client) throws KeeperException, InterruptedException;
    }

    @Override
    public CompletionStage<SinkId> id() {
        return ask("reading its id", client -> Optional.of(marks.id(client)));
    }

    @Override
    public String label() {
        return url.toString();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return ask("raising " + election + " to " + mark, client -> raised(client, election, mark));
    }

    private Optional<Raise> raised(ZooKeeper client, ElectionName election, Mark mark)
            throws KeeperException, InterruptedException {
        check(client);
        return marks.raise(client, election, mark, owner.acl());
    }

    /** A mark that a stranger may change protects nothing. */
    private void check(ZooKeeper client) throws KeeperException, InterruptedException {
        if (owner.isKnown()) {
            Optional<String> why = marks.complaint(client, owner);
            if (why.isPresent()) {
                throw new SinkException(label() + ": " + why.get());
            }
        }
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        Set<ElectionName> asked = Set.copyOf(elections);
        return ask("reading its marks", client -> Optional.of(marks.marks(client, asked)));
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return ask("reading its marks", client -> Optional.of(marks.marks(client)));
    }

    /** Blocks. */
    void install() {
        CompletionStage<Boolean> installed = ask("installing it", client -> {
            marks.install(client, owner.acl());
            check(client);
            return Optional.of(true);
        });
        try {
            installed.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof SinkException known ? known : new SinkException(label() + ": " + e, e);
        }
    }

    private <T> CompletionStage<T> ask(String doing, Question<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            worker.execute(() -> answer(answer, doing, question));
        } catch (RejectedExecutionException rejected) {
            answer.completeExceptionally(new SinkException(
                    label() + (worker.isShutdown() ? " is closed" : ": " + MOST_WAITING + " questions wait already"),
                    rejected));
            return answer;
        }
        CompletableFuture.delayedExecutor(bound.toNanos(), TimeUnit.NANOSECONDS)
                .execute(() -> answer.completeExceptionally(
                        new SinkException(label() + ": " + doing + " gave up after " + bound.toMillis() + " ms")));
        return answer;
    }

    private <T> void answer(CompletableFuture<T> answer, String doing, Question<T> question) {
        while (!answer.isDone() && !worker.isShutdown()) {
            try {
                Optional<T> told = question.of(client());
                told.ifPresent(answer::complete);
            } catch (KeeperException e) {
                if (!isUnanswered(e)) {
                    answer.completeExceptionally(refused(doing, e));
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
                break;
            } catch (SinkException known) {
                answer.completeExceptionally(known);
            } catch (IOException | RuntimeException e) {
                answer.completeExceptionally(new SinkException(label() + ": " + doing + " failed: " + e, e));
            }
        }
        answer.completeExceptionally(new SinkException(label() + " is closed"));
    }

    private SinkException refused(String doing, KeeperException e) {
        return switch (e.code()) {
            case NONODE ->
                new SinkException(label() + " is not installed: run incumbent fence install --sink " + label(), e);
            case NOAUTH, AUTHFAILED, INVALIDACL ->
                new SinkException(label() + ": no permission for " + doing + " " + url.asWhom(), e);
            default -> new SinkException(label() + ": " + doing + " failed (" + e.code() + ")", e);
        };
    }

    /** Did no server say anything? */
    static boolean isUnanswered(KeeperException e) {
        return switch (e.code()) {
            case CONNECTIONLOSS, SESSIONEXPIRED, SESSIONMOVED, OPERATIONTIMEOUT, REQUESTTIMEOUT -> true;
            default -> false;
        };
    }

    /**
     * A client for one connection: one that connects again would be refused for ever by servers that were put back, since it has seen what they have not. Only the
     * worker asks for it.
     */
    private synchronized ZooKeeper client() throws IOException {
        if (current.isPresent()) {
            return current.get();
        }
        if (worker.isShutdown()) {
            throw new SinkException(label() + " is closed");
        }
        CompletableFuture<ZooKeeper> mine = new CompletableFuture<>();
        ZooKeeper client = new ZooKeeper(url.servers(), SESSION_MILLIS, event -> heard(event, mine));
        mine.complete(client);
        url.digest().ifPresent(digest -> client.addAuthInfo("digest", digest.auth()));
        current = Optional.of(client);
        return client;
    }

    private void heard(WatchedEvent event, CompletableFuture<ZooKeeper> from) {
        if (event.getState() == KeeperState.Disconnected || event.getState() == KeeperState.Expired) {
            CompletableFuture<Void> unused = from.thenAccept(this::giveUp);
        }
    }

    private synchronized void giveUp(ZooKeeper ended) {
        if (current.isPresent() && current.get() == ended) {
            current = Optional.empty();
            leave(ended);
        }
    }

    /** Waits for threads of its own, so not on one of these. */
    private static void leave(ZooKeeper client) {
        Thread thread = new Thread(
                () -> {
                    try {
                        client.close();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "incumbent-zookeeper-farewell");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        worker.shutdownNow().forEach(Runnable::run);
        endTheClient();
    }

    private synchronized void endTheClient() {
        current.ifPresent(ZooKeeperSink::leave);
        current = Optional.empty();
    }
}
