package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Another JVM, and the calls that are under way to its clients. */
final class ClientProcess implements AutoCloseable {
    private final Process process;
    private final PrintStream in;
    private final AtomicLong ids = new AtomicLong();
    private final Map<String, CompletableFuture<String>> calls = new ConcurrentHashMap<>();
    private volatile boolean ended;
    private final Map<String, Consumer<List<String>>> watches = new ConcurrentHashMap<>();

    private Duration stepped = Duration.ZERO;

    ClientProcess() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        OtherProcess.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread listener = new Thread(this::listen, "other-process-" + process.pid());
        listener.setDaemon(true);
        listener.start();
    }

    /** Where this class was loaded from, with all that lies beside it; a launcher of tests may have a loader of its own. */
    static String classPath() {
        return ClientProcess.class.getClassLoader() instanceof URLClassLoader own
                ? Arrays.stream(own.getURLs()).map(URL::getPath).collect(Collectors.joining(":"))
                : System.getProperty("java.class.path");
    }

    /** A client in that process. */
    Coordinator open(Path file, Duration requestTimeout) {
        String name = "client-" + ids.incrementAndGet();
        call(name, "open", file, requestTimeout).join();
        return new RemoteCoordinator(this, name);
    }

    long pid() {
        return process.pid();
    }

    void stepClock(Duration by) {
        call("", "step", by).join();
        stepped = stepped.plus(by);
    }

    /** Undoes all steps. */
    void resetClock() {
        if (!stepped.isZero()) {
            stepClock(stepped.negated());
        }
    }

    CompletableFuture<String> call(String client, String verb, Object... words) {
        String id = "c" + ids.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        calls.put(id, answer);
        if (ended) {
            answer.completeExceptionally(killed());
        }
        send(id, client, verb, words);
        return answer;
    }

    /** Starts a watch there; its id. */
    String watch(String client, String election, Consumer<List<String>> listener) {
        String id = "w" + ids.incrementAndGet();
        watches.put(id, listener);
        call(client, "watch", election, id).join();
        return id;
    }

    void unwatch(String id) {
        call("", "unwatch", id).join();
        watches.remove(id);
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private synchronized void send(String id, String client, String verb, Object... words) {
        StringBuilder line = new StringBuilder(Wire.line(id, client, verb));
        if (words.length > 0) {
            line.append(' ').append(Wire.line(words));
        }
        in.println(line);
    }

    private void listen() {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                List<String> words = Wire.words(line);
                hear(words.get(0), Wire.words(words.get(1)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            ended = true;
            calls.values().forEach(call -> call.completeExceptionally(killed()));
        }
    }

    private static CoordinatorException killed() {
        return new CoordinatorException("killed", true);
    }

    private void hear(String id, List<String> words) {
        Optional.ofNullable(watches.get(id)).ifPresent(watch -> watch.accept(words));
        Optional.ofNullable(calls.remove(id)).ifPresent(call -> {
            if (words.get(0).equals("ok")) {
                call.complete(words.get(1));
            } else {
                call.completeExceptionally(Wire.failure(words));
            }
        });
    }
}
