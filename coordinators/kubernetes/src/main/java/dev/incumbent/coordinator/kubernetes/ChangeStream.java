package dev.incumbent.coordinator.kubernetes;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One watch request: the changes since a position, a line of JSON each, until the server or we end it. */
final class ChangeStream implements AutoCloseable {
    /** etcd takes no object of more than 1.5 MiB. */
    private static final int LONGEST_LINE = 16 << 20;

    private final Listener listener;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private volatile Optional<AsyncBody> body = Optional.empty();
    private volatile boolean closed;

    private ChangeStream(Listener listener) {
        this.listener = listener;
    }

    /** Who hears of it; called from one thread at a time. */
    interface Listener {
        /** The server answers: changes may come. */
        void began(ChangeStream which);

        /** An object was ADDED, MODIFIED or DELETED; or a BOOKMARK tells the position alone. */
        void changed(ChangeStream by, String type, Stored object);

        /** It is over. */
        void ended(ChangeStream which, Ending ending);
    }

    /** Opens it; the server has to begin its answer within that time. */
    static ChangeStream open(Transport transport, Ask watch, long boundNanos, Listener listener) {
        ChangeStream stream = new ChangeStream(listener);
        CompletableFuture<HttpResponse<AsyncBody>> answer;
        try {
            answer = transport.stream(watch, boundNanos, stream::read);
        } catch (RuntimeException failure) {
            answer = CompletableFuture.failedFuture(failure);
        }
        CompletableFuture<?> unused = answer.whenComplete((response, failure) -> {
            if (failure != null) {
                listener.ended(stream, Ending.BROKEN);
            } else {
                stream.begin(response);
            }
        });
        return stream;
    }

    private void begin(HttpResponse<AsyncBody> response) {
        body = Optional.of(response.body());
        if (closed || response.code() != 200) {
            response.body().cancel();
            long retryAfterNanos = Answer.retryAfterNanos(response.headers(Transport.RETRY_AFTER));
            listener.ended(this, Ending.refused(response.code(), retryAfterNanos));
            return;
        }
        listener.began(this);
        CompletableFuture<?> unused = response.body()
                .done()
                .whenComplete(
                        (done, failure) -> listener.ended(this, failure == null ? Ending.IN_ORDER : Ending.BROKEN));
        response.body().consume();
    }

    private void read(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            if (next == '\n') {
                String text = line.toString(StandardCharsets.UTF_8);
                line.reset();
                event(text);
            } else if (line.size() < LONGEST_LINE) {
                line.write(next);
            } else {
                throw new IllegalStateException("a change is longer than " + LONGEST_LINE + " bytes");
            }
        }
    }

    private void event(String text) {
        Map<String, Object> event = Document.read(text);
        String type = Document.text(event, "type").orElse("");
        if (type.equals("ERROR")) {
            throw new IllegalStateException("the server ended the watch: " + text);
        }
        listener.changed(this, type, Stored.of(Document.map(event, "object")));
    }

    @Override
    public void close() {
        closed = true;
        body.ifPresent(AsyncBody::cancel);
    }
}
