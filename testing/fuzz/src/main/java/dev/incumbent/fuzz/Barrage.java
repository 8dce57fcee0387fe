package dev.incumbent.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Many malformed requests at once, by some threads, to some ports in turn. */
public final class Barrage implements AutoCloseable {
    private static final int THREADS = 12;
    private static final int PATIENCE_MILLIS = 20_000;

    private final Fuzzer fuzzer;
    private final List<Integer> ports;
    private final Delivery delivery = new Delivery();

    /** To those ports of 127.0.0.1. */
    public Barrage(Fuzzer fuzzer, List<Integer> ports) {
        this.fuzzer = fuzzer;
        this.ports = List.copyOf(ports);
    }

    /**
     * Sends the requests from that number on, so many; returns when each has its outcome.
     *
     * @param found hears each outcome, on several threads
     * @param withinSeconds throws an {@link IllegalStateException} if they take longer
     */
    public void send(int from, int count, int withinSeconds, Consumer<Outcome> found) throws InterruptedException {
        AtomicInteger next = new AtomicInteger(from);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "barrage");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                all.add(threads.submit(() -> {
                    for (int number = next.getAndIncrement(); number < from + count; number = next.getAndIncrement()) {
                        found.accept(delivery.deliver(ports.get(number % ports.size()), fuzzer.request(number)));
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get(withinSeconds, TimeUnit.SECONDS);
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("request " + next.get() + " or one before could not be sent", e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "the requests up to " + next.get() + " took more than " + withinSeconds + " s", e);
        } finally {
            threads.shutdownNow();
            var unused = threads.awaitTermination(withinSeconds, TimeUnit.SECONDS);
        }
    }

    /** The first line that a well-formed request is answered. */
    public static String statusOf(int port, Example example) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(example.text().getBytes(StandardCharsets.ISO_8859_1));
            return String.valueOf(
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                            .readLine());
        }
    }

    /** How many connections, left open on purpose, the server has not ended yet. */
    public int stillOpen() {
        return delivery.leftOpen() - delivery.endedByTheServer();
    }

    /** Ends those that were left open. */
    @Override
    public void close() {
        delivery.close();
    }
}
