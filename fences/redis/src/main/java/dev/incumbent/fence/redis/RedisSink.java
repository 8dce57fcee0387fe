package dev.incumbent.fence.redis;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.wire.HostAddresses;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A Redis server as leaders and operators see it.
 *
 * <p>One daemon thread of its own asks over one connection, one question after another; callers never block. A question that has waited or worked for the bound
 * ends in a {@link SinkException}, and its connection with it.
 */
final class RedisSink implements Sink {
    private static final int MOST_WAITING = 256;

    private final RedisUrl url;
    private final Duration bound;
    private final HostAddresses addresses;
    private final Executor whenTheBoundIsOver;
    private final ThreadPoolExecutor worker;
    private volatile Optional<RedisLine> line = Optional.empty();

    RedisSink(RedisUrl url, Duration bound) {
        this.url = url;
        this.bound = bound;
        this.addresses = new HostAddresses(url.server().host());
        this.whenTheBoundIsOver = CompletableFuture.delayedExecutor(bound.toNanos(), TimeUnit.NANOSECONDS);
        this.worker = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), this::newThread);
    }

    private Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "incumbent " + label());
        thread.setDaemon(true);
        return thread;
    }

    /** What is asked over the line. */
    private interface Question<T> {
        T over(RedisLine line) throws RedisFailure;
    }

    @Override
    public CompletionStage<SinkId> id() {
        return ask("reading its id", open -> {
            // Only what is installed has one; the script never gives it another.
            Object answer = open.run(RedisScript.MARKS, List.of(url.id(), url.marks()), List.of(url.markKeys(), "id"));
            return new SinkId(text(answer));
        });
    }

    @Override
    public String label() {
        return url.toString();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        List<String> keys = List.of(url.id(), url.markKeys() + election, url.marks());
        List<String> arguments =
                List.of(mark.token().toString(), mark.owner().text(), election.value(), Long.toString(Raise.FURTHEST));
        return ask("raising " + election + " to " + mark, open -> {
            List<String> answer = texts(open.run(RedisScript.RAISE, keys, arguments));
            return switch (answer.get(0)) {
                case "raised" -> new Raise.Raised(mark);
                case "refused" -> new Raise.Refused(mark(answer.get(1), answer.get(2)));
                default -> new Raise.TooFar(Long.parseLong(answer.get(1)));
            };
        });
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        List<String> arguments = new ArrayList<>(List.of(url.markKeys(), "these"));
        elections.forEach(election -> arguments.add(election.value()));
        return marks(arguments);
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return marks(List.of(url.markKeys(), "all"));
    }

    private CompletionStage<MarksRead> marks(List<String> arguments) {
        return ask("reading its marks", open -> {
            Object answer = open.run(RedisScript.MARKS, List.of(url.id(), url.marks()), arguments);
            MarksRead.Gathered marks = new MarksRead.Gathered();
            for (Object one : answer instanceof List<?> all ? all : List.of()) {
                List<String> row = texts(one);
                marks.add(row.get(0), () -> Optional.of(mark(row.get(1), row.get(2))));
            }
            return marks.told();
        });
    }

    @Override
    public void close() {
        worker.shutdownNow();
        line.ifPresent(RedisLine::close);
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
        whenTheBoundIsOver.execute(() -> answer.completeExceptionally(
                new SinkException(label() + ": " + doing + " gave up after " + bound.toMillis() + " ms")));
        return answer;
    }

    private <T> void answer(CompletableFuture<T> answer, String doing, Question<T> question) {
        if (answer.isDone()) {
            return;
        }
        try {
            answer.complete(askedOver(question));
        } catch (RedisFailure failure) {
            if (failure.code().isEmpty() || failure.code().equals("READONLY")) {
                drop();
            }
            answer.completeExceptionally(new SinkException(failure.sentence() + " (" + doing + ")", failure));
        } catch (RuntimeException unexpected) {
            drop();
            answer.completeExceptionally(
                    new SinkException(label() + ": " + doing + " failed: " + unexpected.getMessage(), unexpected));
        }
    }

    /** Once more where an old connection proves to be gone: every question may be repeated, a raise by its owner too. */
    private <T> T askedOver(Question<T> question) throws RedisFailure {
        boolean isOld = line.isPresent();
        try {
            return question.over(opened());
        } catch (RedisFailure failure) {
            if (!isOld || !failure.code().isEmpty() || worker.isShutdown()) {
                throw failure;
            }
            drop();
            return question.over(opened());
        }
    }

    private RedisLine opened() throws RedisFailure {
        if (line.isEmpty()) {
            line = Optional.of(RedisLine.open(url, addresses, bound));
            if (worker.isShutdown()) {
                line.get().close();
            }
        }
        return line.get();
    }

    private void drop() {
        line.ifPresent(RedisLine::close);
        line = Optional.empty();
    }

    private static Mark mark(String token, String owner) {
        try {
            return new Mark(new FencingToken(Long.parseLong(token)), MarkOwner.parse(owner));
        } catch (IllegalArgumentException e) {
            throw new SinkException("its key holds no mark: '" + token + "' of '" + owner + "'", e);
        }
    }

    private static String text(Object answer) {
        return answer instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(answer);
    }

    private static List<String> texts(Object answer) {
        return answer instanceof List<?> all ? all.stream().map(RedisSink::text).toList() : List.of();
    }
}
