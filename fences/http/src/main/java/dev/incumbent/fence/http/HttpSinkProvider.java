package dev.incumbent.fence.http;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import dev.incumbent.wire.Redaction;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/** Opens fenced HTTP services as sinks: {@code http://…} and {@code https://…}. */
public final class HttpSinkProvider implements SinkProvider {
    private static final Duration INSTALLING = Duration.ofSeconds(10);

    /** For {@link java.util.ServiceLoader}. */
    public HttpSinkProvider() {}

    @Override
    public boolean opens(String url) {
        return url.startsWith("http://") || url.startsWith("https://");
    }

    @Override
    public Set<String> schemes() {
        return Set.of("http://", "https://");
    }

    @Override
    public Sink open(String url, Duration bound) {
        return HttpSink.of(url, System.getenv(), bound);
    }

    /** A service fences itself, by its filter: this only sees that it does. */
    @Override
    public void install(String url) {
        try (Sink sink = open(url, INSTALLING)) {
            sink.id().toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SinkException known
                    ? known
                    : new SinkException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SinkException("interrupted while " + Redaction.of(url) + " was asked", e);
        }
    }

    @Override
    public void guard(String url, String table, ElectionName election) {
        throw new SinkException("a service behind HTTP has no tables to guard, so not " + table + " either");
    }
}
