package dev.incumbent.wire;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The addresses of a host, in the order in which they are to be tried: first the one that answered last, then the others as the resolver tells them, and at the end
 * those that have failed since they answered, the oldest failure first. Failures are forgotten after ten minutes. An address that is the only one is never left. The
 * name is resolved again for each connection, so the addresses may change. Thread-safe.
 */
public final class HostAddresses {
    private static final int MINUTES_TO_FORGET = 10;

    private final String host;
    private final Resolver resolver;

    /** Runs what it is given once a failure is to be forgotten. */
    private final Executor later;

    /** Guarded by this, as all below. */
    private final Set<InetAddress> failed = new LinkedHashSet<>();

    private Optional<InetAddress> answered = Optional.empty();

    /** As the resolver told them last. */
    private Optional<InetAddress> first = Optional.empty();

    private boolean firstFailed;
    private boolean isToForget;

    /** Tells all addresses of a host, at least one; {@link InetAddress#getAllByName} as a rule. */
    interface Resolver {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /** Connects to an address, within that many milliseconds. */
    public interface Attempt<T> {
        T at(InetAddress address, int millis) throws IOException;
    }

    public HostAddresses(String host) {
        this(host, InetAddress::getAllByName, CompletableFuture.delayedExecutor(MINUTES_TO_FORGET, TimeUnit.MINUTES));
    }

    HostAddresses(String host, Resolver resolver, Executor later) {
        this.host = host;
        this.resolver = resolver;
        this.later = later;
    }

    /** All of them, in the order of their trying. Blocks while the name is resolved. */
    public List<InetAddress> inOrder() throws UnknownHostException {
        List<InetAddress> all = Stream.of(resolver.addresses(host)).distinct().toList();
        synchronized (this) {
            first = Optional.of(all.get(0));
            if (firstFailed) {
                firstFailed = false;
                hasFailed(all.get(0));
            }
            failed.retainAll(all);
            if (all.size() == 1) {
                failed.clear();
            }
            Optional<InetAddress> best = answered.filter(all::contains);
            List<InetAddress> order = new ArrayList<>(best.stream().toList());
            all.stream()
                    .filter(one -> !failed.contains(one) && !best.equals(Optional.of(one)))
                    .forEach(order::add);
            order.addAll(failed);
            return order;
        }
    }

    /**
     * Tries one after another until an attempt succeeds, and goes on with none once {@code isOver}. Each has an equal part of the bound. Where all fail, the failure is
     * that of one that took the connection and failed then, as for its certificate; else that of the last one. Blocks, and resolves the name first.
     */
    public <T> T connect(Duration bound, BooleanSupplier isOver, Attempt<T> attempt) throws IOException {
        List<InetAddress> order = inOrder();
        int millis = (int) Math.max(1, Math.min(bound.toMillis() / order.size(), Integer.MAX_VALUE));
        IOException failure = new ConnectException("nobody waits for the connection");
        for (InetAddress address : order) {
            if (isOver.getAsBoolean()) {
                throw failure;
            }
            try {
                T connected = attempt.at(address, millis);
                hasAnswered(address);
                return connected;
            } catch (IOException e) {
                if (isOver.getAsBoolean()) {
                    throw e; // it was ended from here, so nothing is known of the address
                }
                hasFailed(address);
                failure = isOfConnecting(failure) ? e : failure;
            }
        }
        throw failure;
    }

    private static boolean isOfConnecting(IOException failure) {
        return failure instanceof SocketException || failure instanceof SocketTimeoutException;
    }

    /** From now on it is the first to be tried. */
    public synchronized void hasAnswered(InetAddress address) {
        failed.remove(address);
        answered = Optional.of(address);
    }

    /** From now on it is the last to be tried. */
    public synchronized void hasFailed(InetAddress address) {
        failed.remove(address);
        failed.add(address);
        answered = answered.filter(one -> !one.equals(address));
        forgetLater();
    }

    /** Somebody has gone by the name, as the JDK does it, which is to the first address alone; and that has failed. */
    public synchronized void firstHasFailed() {
        firstFailed = true;
        forgetLater();
    }

    /** One task at a time, whatever fails meanwhile. */
    private void forgetLater() {
        if (!isToForget) {
            isToForget = true;
            later.execute(this::forget);
        }
    }

    private synchronized void forget() {
        isToForget = false;
        firstFailed = false;
        failed.clear();
    }

    /** Whether it is well to go by the name. Where the first address has failed, it is not, until that one answers again or its failure is forgotten. */
    public synchronized boolean isFirstUsable() {
        return !firstFailed && first.filter(failed::contains).isEmpty();
    }
}
