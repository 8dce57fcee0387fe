package dev.incumbent.consul;

import dev.incumbent.calls.Deadlines;
import dev.incumbent.wire.BoundedBody;
import dev.incumbent.wire.EveryAddressClient;
import dev.incumbent.wire.Tls;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Asks one Consul agent. Each question is sent at most once, over one of a bounded number of connections, and ends by its deadline.
 *
 * <p>Two threads: the JDK's selector, and one on which answers arrive; more where the agent's host has several addresses, and the first does not answer. Thread-safe.
 */
final class ConsulHttp implements AutoCloseable {
    /** An agent takes 200 connections from one address. */
    private static final int MOST_UNDER_WAY = 24;

    /** A transaction reads 64 keys, of which none is longer than 512 kB. */
    private static final int LONGEST_ANSWER = 64 << 20;

    private final ConsulAddress at;
    private final String label;
    private final Deadlines deadlines;
    private final ThreadPoolExecutor thread;
    private final EveryAddressClient client;
    private final Object lock = new Object();
    private final ArrayDeque<Exchange> waiting = new ArrayDeque<>();
    private final Set<Exchange> underWay = new HashSet<>();
    private boolean closed;
    private volatile Optional<Thread> selector = Optional.empty();

    /** @param label what it is called, for people */
    ConsulHttp(ConsulAddress at, String label, Deadlines deadlines) {
        this.at = at;
        this.label = label;
        this.deadlines = deadlines;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                ConsulHttp::daemon,
                new ThreadPoolExecutor.DiscardPolicy());
        HttpClient.Builder building = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(this::executeForClient);
        at.authority().map(ConsulHttp::trusting).map(Tls::context).ifPresent(building::sslContext);
        this.client = new EveryAddressClient(building.build(), ConsulHttp::daemon);
    }

    /** Runs a task after those that were given before, on the one thread; drops it once closed. */
    void execute(Runnable task) {
        thread.execute(task);
    }

    /** Sends a question, or lets it wait for a connection. */
    CompletionStage<Answer> ask(Question question) {
        Exchange exchange = new Exchange(label, question);
        exchange.limit(deadlines);
        CompletionStage<Answer> unused = exchange.reply().whenComplete((answer, failure) -> ended(exchange));
        boolean refused;
        synchronized (lock) {
            refused = closed;
            if (!closed) {
                waiting.add(exchange);
                if (question.urgent()) {
                    waiting.removeLast();
                    waiting.addFirst(exchange);
                }
            }
        }
        if (refused) {
            exchange.close();
        } else {
            launch();
        }
        return exchange.reply();
    }

    private void ended(Exchange exchange) {
        forget(exchange);
        launch();
    }

    private void forget(Exchange exchange) {
        synchronized (lock) {
            underWay.remove(exchange);
            waiting.remove(exchange);
        }
    }

    private void launch() {
        for (Optional<Exchange> next = next(); next.isPresent(); next = next()) {
            send(next.get());
        }
    }

    private Optional<Exchange> next() {
        synchronized (lock) {
            Exchange first = waiting.peekFirst();
            boolean goes = !closed && first != null && (first.question().urgent() || underWay.size() < MOST_UNDER_WAY);
            if (!goes) {
                return Optional.empty();
            }
            waiting.removeFirst();
            underWay.add(first);
            return Optional.of(first);
        }
    }

    private void send(Exchange exchange) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        at.base().resolve(exchange.question().path()))
                .method(
                        exchange.question().method(),
                        exchange.question()
                                .body()
                                .map(HttpRequest.BodyPublishers::ofString)
                                .orElseGet(HttpRequest.BodyPublishers::noBody));
        at.token().ifPresent(token -> request.header("X-Consul-Token", token));
        if (exchange.send()) {
            exchange.endsWith(client.sendAsync(request.build(), BoundedBody.ofAtMost(LONGEST_ANSWER)));
        } else {
            forget(exchange);
        }
    }

    /** The client asks for its tasks to be run by its selector above all, which the JDK has no other way to name, or to end, before 21. */
    private void executeForClient(Runnable task) {
        Thread caller = Thread.currentThread();
        if (selector.isEmpty() && caller.getName().endsWith("SelectorManager")) {
            selector = Optional.of(caller);
        }
        thread.execute(task);
    }

    @Override
    public void close() {
        List<Exchange> left;
        synchronized (lock) {
            closed = true;
            left = new ArrayList<>(underWay);
            left.addAll(waiting);
            waiting.clear();
        }
        thread.shutdown();
        left.forEach(Exchange::close);
        client.close();
        selector.ifPresent(Thread::interrupt);
    }

    private static Thread daemon(Runnable loop) {
        Thread thread = new Thread(loop, "incumbent-consul");
        thread.setDaemon(true);
        return thread;
    }

    private static Tls trusting(Path authority) {
        try {
            return Tls.trusting(Optional.of(authority));
        } catch (IOException | GeneralSecurityException e) {
            throw ConsulException.malformed(
                            "the certificate of Consul's authority, " + authority + ", cannot be read: " + e)
                    .because(e);
        }
    }
}
