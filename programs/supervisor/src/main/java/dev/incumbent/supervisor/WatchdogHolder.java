package dev.incumbent.supervisor;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The connection to the process that holds a hardware watchdog, and outlives whoever started it. It feeds the device only when it is told to. {@code hold.h} has
 * its words.
 *
 * <p>Thread-safe; only {@link #open} and {@link #close} block. What the holder says is told on a thread of its own.
 */
public final class WatchdogHolder implements Closeable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(50);
    private static final Duration LAST_LINES = Duration.ofSeconds(1);
    private static final int HOLDS_MANY = 3;

    private final Wire wire;
    private final LongSupplier clock;
    private final BootOffset offset = new BootOffset();
    private final Map<String, String> owners = new TreeMap<>();
    private volatile int unnamed;
    private final CompletableFuture<Told> greeted = new CompletableFuture<>();

    /** What an answer says. */
    public enum Kind {
        /** At the beginning. */
        HOLDS,
        COUNTS,
        STOPPED,
        /** Less than a second was left. */
        SHORT,
        FAILED,
        /** The holder is gone, or the connection to it. */
        GONE
    }

    /**
     * An answer.
     *
     * @param firesAtNanos when the device restarts the host, unless it is fed or stopped before, on the clock of whoever asks; empty if it is stopped, or if nobody knows
     * @param why for people; empty where all is well
     */
    public record Told(Kind kind, OptionalLong firesAtNanos, String why) {}

    private WatchdogHolder(SocketChannel socket, LongSupplier clock) {
        this.wire = new Wire(socket);
        this.clock = clock;
    }

    /**
     * Connects to the one that holds this device, or starts it.
     *
     * @param program the supervisor's program, with words before it that start it
     * @param socket where the holder listens, in a folder that only this user can change
     * @param clock the monotonic clock, in nanoseconds
     * @throws IOException if the device cannot be used, or another process of this kind is connected
     */
    public static WatchdogHolder open(List<String> program, Path device, Path socket, LongSupplier clock)
            throws IOException {
        return open(program, device, socket, clock, PATIENCE);
    }

    static WatchdogHolder open(List<String> program, Path device, Path socket, LongSupplier clock, Duration patience)
            throws IOException {
        long begun = clock.getAsLong();
        Optional<WatchdogHolder> holder = attempt(program, device, socket, clock, patience);
        while (holder.isEmpty()) {
            if (clock.getAsLong() - begun > patience.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                throw new IOException(
                        device + " has a holder that neither listens nor ends: see who has locked " + socket + ".lock");
            }
            LockSupport.parkNanos(BETWEEN_ATTEMPTS.toNanos());
            holder = attempt(program, device, socket, clock, patience);
        }
        return holder.get();
    }

    /** Empty where the holder has just begun, for another agent, or is about to end, since its agent has let go. */
    private static Optional<WatchdogHolder> attempt(
            List<String> program, Path device, Path socket, LongSupplier clock, Duration patience) throws IOException {
        Optional<WatchdogHolder> running = connect(socket, clock);
        if (running.isEmpty() && start(program, device, socket)) {
            running = connect(socket, clock);
        }
        return running.isPresent() && running.get().awaitGreeting(device, socket, patience)
                ? running
                : Optional.empty();
    }

    private static Optional<WatchdogHolder> connect(Path socket, LongSupplier clock) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            return Optional.of(new WatchdogHolder(channel, clock));
        } catch (IOException nobody) {
            channel.close();
            return Optional.empty();
        }
    }

    /** False if another holder has the socket. */
    private static boolean start(List<String> program, Path device, Path socket) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("--watchdog", device.toString(), socket.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String first;
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            first = Optional.ofNullable(said.readLine()).orElse("it ended without a word");
        }
        if (!first.equals("ready") && !first.equals("held")) {
            throw new IOException(first.replaceFirst("^incumbent-watchdog: ", ""));
        }
        return first.equals("ready");
    }

    /** False if it ended instead. */
    private boolean awaitGreeting(Path device, Path socket, Duration patience) throws IOException {
        CompletableFuture<Void> heard = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    greet();
                    heard.complete(null);
                },
                "incumbent-watchdog-greeting");
        thread.setDaemon(true);
        thread.start();
        try {
            heard.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException silent) {
            wire.close();
            throw new IOException(HolderProcess.whySilent(device, socket), silent);
        } catch (InterruptedException e) {
            wire.close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (!greeted.isDone()) {
            wire.close();
        }
        return greeted.isDone();
    }

    private void greet() {
        for (Optional<String> line = wire.hear(); line.isPresent(); line = wire.hear()) {
            String[] words = line.get().split(" ", 3);
            if (words[0].equals("owner")) {
                owners.put(words[1], words.length > 2 ? words[2] : "");
            } else {
                String[] holds = line.get().split(" ", -1);
                unnamed = holds.length > HOLDS_MANY ? Integer.parseInt(holds[HOLDS_MANY]) - owners.size() : 0;
                Told told = told(line.get());
                greeted.complete(new Told(told.kind(), told.firesAtNanos(), ""));
                return;
            }
        }
    }

    /** What the device does at the beginning. */
    public Told found() {
        return greeted.join();
    }

    /** Those that the holder remembers, by their keys, from before. */
    public Map<String, String> owners() {
        return Map.copyOf(owners);
    }

    /** How many more it guards, whom it could not name: nobody will hear that their work has stopped. */
    public int unnamed() {
        return unnamed;
    }

    /** Tells each answer, the last one of which is {@link Kind#GONE}. Called once. */
    public void hear(Consumer<Told> hears) {
        Thread thread = new Thread(
                () -> {
                    for (Optional<String> line = wire.hear(); line.isPresent(); line = wire.hear()) {
                        hears.accept(told(line.get()));
                    }
                    hears.accept(new Told(Kind.GONE, OptionalLong.empty(), "the process that holds it is gone"));
                },
                "incumbent-watchdog-holder");
        thread.setDaemon(true);
        thread.start();
    }

    private Told told(String line) {
        String[] words = line.split(" ", 4);
        long received = clock.getAsLong();
        offset.note(received, Long.parseLong(words[1]));
        long fires = Long.parseLong(words[2]);
        Kind kind = Kind.valueOf(words[0].toUpperCase(Locale.ROOT));
        String why = kind == Kind.SHORT ? "less than a second of the leadership is left" : "";
        return new Told(
                kind,
                fires == 0 ? OptionalLong.empty() : OptionalLong.of(fires - offset.latest()),
                words.length > 3 ? words[3] : why);
    }

    /** The device fires no later than that. A suspend of the host since then counts. */
    public void count(long untilNanos, long sinceNanos) {
        long known = offset.knownBefore(sinceNanos).orElse(offset.latest());
        wire.say("count " + (untilNanos + known));
    }

    /** The device is stopped. */
    public void stop() {
        wire.say("stop");
    }

    /** Whoever connects next is told of this one. Neither has a space in the key, nor a line's end. */
    public void remember(String key, String text) {
        wire.say("owner " + key + " " + text);
    }

    /** Whoever connects next is not told of it. */
    public void forget(String key) {
        wire.say("gone " + key);
    }

    /** The holder ends, if the device is stopped; else it stays, and the device counts on. Blocks for a second at most, until it has heard all. */
    @Override
    public void close() {
        wire.closeOnceSent(LAST_LINES);
    }
}
