package dev.incumbent.beats.netty;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Looks hosts up, on threads of its own: a name server that is slow delays no beat. A host that was found before is dialled where it was found, and looked up beside that for the next time. Thread-safe.
 */
final class Names implements AutoCloseable {
    private static final int THREADS = 4;
    private static final long IDLE_SECONDS = 10;
    private static final int MOST_KNOWN = 1_000;
    private static final int MOST_ADDRESSES = 8;

    private final Lookup lookup;
    private final ThreadPoolExecutor threads;
    private final Map<HostPort, List<InetSocketAddress>> known = new ConcurrentHashMap<>();

    /** How a host's addresses are found, at least one; may block. */
    interface Lookup {
        InetAddress[] of(String host) throws UnknownHostException;
    }

    Names(Lookup lookup) {
        this.lookup = lookup;
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "incumbent-beats-names");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    static Names ofThisMachine() {
        return new Names(InetAddress::getAllByName);
    }

    /** All that a host has, at most eight. Fails with what the lookup throws, where it was never found. */
    CompletableFuture<List<InetSocketAddress>> addresses(HostPort at) {
        CompletableFuture<List<InetSocketAddress>> found = new CompletableFuture<>();
        Optional.ofNullable(known.get(at)).ifPresent(found::complete);
        threads.execute(() -> look(at, found));
        return found;
    }

    private void look(HostPort at, CompletableFuture<List<InetSocketAddress>> found) {
        try {
            List<InetSocketAddress> addresses = Stream.of(lookup.of(at.host()))
                    .distinct()
                    .limit(MOST_ADDRESSES)
                    .map(address -> new InetSocketAddress(address, at.port()))
                    .toList();
            if (known.size() >= MOST_KNOWN) {
                known.clear();
            }
            known.put(at, addresses);
            found.complete(addresses);
        } catch (UnknownHostException | RuntimeException | Error none) {
            found.completeExceptionally(none);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
