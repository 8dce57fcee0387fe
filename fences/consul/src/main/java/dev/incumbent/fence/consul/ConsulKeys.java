package dev.incumbent.fence.consul;

import dev.incumbent.calls.Deadlines;
import dev.incumbent.consul.ConsulAddress;
import dev.incumbent.consul.ConsulClient;
import dev.incumbent.consul.ConsulException;
import dev.incumbent.consul.Entry;
import dev.incumbent.consul.Outcome;
import dev.incumbent.consul.Txn;
import dev.incumbent.fence.SinkException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The keys of one Consul: transactions over them, each bounded. Thread-safe. What does not end in an answer is a {@link SinkException}, and may have applied. */
final class ConsulKeys implements AutoCloseable {
    private final ConsulAddress address;
    private final Duration bound;
    private final ConsulClient client;

    private ConsulKeys(ConsulAddress address, Duration bound) {
        this.address = address;
        this.bound = bound;
        this.client = new ConsulClient(address, address.uri(), Deadlines.fromNow());
    }

    /** Asks nothing yet. */
    static ConsulKeys at(String url, Duration bound) {
        try {
            return new ConsulKeys(ConsulAddress.of(url, "sink", System.getenv()), bound);
        } catch (ConsulException unusable) {
            throw new SinkException(String.valueOf(unusable.getMessage()), unusable);
        }
    }

    /** The URL without its parameters. */
    String label() {
        return address.uri();
    }

    String prefix() {
        return address.prefix();
    }

    Duration bound() {
        return bound;
    }

    /** Applies operations, all or none. */
    CompletableFuture<Outcome> apply(Txn operations, String doing) {
        return told(client.apply(operations, doing, bound.toNanos()), doing);
    }

    /** What there is beneath some prefixes; never older than what was acknowledged. Leaves out what the token may not read. */
    CompletableFuture<List<Entry>> read(Txn operations, String doing) {
        return told(client.read(operations, doing, bound.toNanos()), doing);
    }

    /** Is that key there? Denied aloud where the token may not read it. */
    CompletableFuture<Boolean> isThere(String key) {
        return told(client.find(key, bound.toNanos()).thenApply(Optional::isPresent), "reading " + key);
    }

    private <T> CompletableFuture<T> told(CompletionStage<T> answer, String doing) {
        return answer.toCompletableFuture().exceptionally(failure -> {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            throw cause instanceof ConsulException consul ? told(consul, doing) : new CompletionException(cause);
        });
    }

    private SinkException told(ConsulException failure, String doing) {
        String message = switch (failure.kind()) {
            case UNREACHED, DISTRUSTED, BROKEN_OFF -> label() + ": " + doing + " got no answer: " + failure.why();
            case LATE -> label() + ": " + doing + " gave up after " + bound.toMillis() + " ms";
            case CLOSED -> label() + " is closed";
            case ROLLED_BACK -> label() + " refused " + doing + ": " + failure.why();
            case MALFORMED, DENIED, NO_CONSUL, ANSWERED -> String.valueOf(failure.getMessage());
        };
        return new SinkException(message, failure);
    }

    /** Waits for an answer on the calling thread. */
    <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | CompletionException e) {
            throw e.getCause() instanceof SinkException known ? known : new SinkException(label() + ": " + e, e);
        } catch (TimeoutException e) {
            throw new SinkException(label() + " gave up after " + bound.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SinkException(label() + ": interrupted while it was asked", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
