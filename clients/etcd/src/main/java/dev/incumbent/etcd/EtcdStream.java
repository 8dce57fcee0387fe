package dev.incumbent.etcd;

import dev.incumbent.wire.Json;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A watch under way: one connection and one thread. It ends once, for whatever reason, and then a new one must be opened. */
public final class EtcdStream implements AutoCloseable {
    private static final int LONGEST_LINE = 64 << 20;

    private final Connections connections;
    private final Range range;
    private final Listener listener;
    private volatile Optional<HttpWire> wire = Optional.empty();
    private volatile boolean closed;

    private EtcdStream(Connections connections, Range range, Listener listener) {
        this.connections = connections;
        this.range = range;
        this.listener = listener;
    }

    /** Hears of changes; called on the stream's thread, one call at a time. */
    public interface Listener {
        /** These happened, in this order, and nothing else in the range before {@code revision} since the call before. The first call has none. */
        void changed(long revision, List<Change> changes);

        /** Nothing more comes of this stream. Not called once it was closed. */
        void ended(String why);
    }

    /** A key that was written, or deleted: then without its value. */
    public record Change(KeyValue now, boolean isDeleted) {}

    record Range(String from, String to, long revision) {
        String request() {
            return "{\"create_request\":{\"key\":" + Json.encoded(from) + ",\"range_end\":" + Json.encoded(to)
                    + ",\"start_revision\":\"" + revision + "\"}}";
        }
    }

    static EtcdStream open(Connections connections, Range range, Listener listener) {
        EtcdStream stream = new EtcdStream(connections, range, listener);
        Thread thread = new Thread(stream::follow, "incumbent-etcd-watch");
        thread.setDaemon(true);
        thread.start();
        return stream;
    }

    private void follow() {
        String why;
        try {
            HttpWire connection = connections.next();
            wire = Optional.of(connection);
            why = closed ? "closed" : read(connection);
        } catch (EtcdException refused) {
            why = String.valueOf(refused.getMessage());
        } catch (IOException | RuntimeException broken) {
            why = "the watch broke: " + broken.getMessage();
        }
        wire.ifPresent(HttpWire::abort);
        if (!closed) {
            wire.ifPresent(connections::leave);
            listener.ended(why);
        }
    }

    /** Reads until it ends, and says why it did. */
    private String read(HttpWire connection) throws IOException {
        Requests requests = connections.connect(connection);
        String who = connections.access().header(requests);
        connection.send(
                List.of(new Requests.Question("/v3/watch", range.request())),
                who + "Grpc-Metadata-hasleader: true\r\n");
        HttpWire.Answer answer = connection.receive();
        if (answer.status() != 200) {
            String text = answer.text();
            if (Refusal.isOfItsToken(text)) {
                connections.access().renewed();
            }
            throw Refusal.of(connection.endpoint() + "/v3/watch", answer.status(), text);
        }
        Lines lines = new Lines(answer.body(), LONGEST_LINE);
        while (!closed) {
            String line = lines.next();
            Json told = Json.read(line);
            Json result = told.at("result");
            if (told.has("error")) {
                throw Refusal.of(connection.endpoint() + "/v3/watch", answer.status(), line);
            }
            if (result.at("canceled").flag()) {
                return "etcd ended the watch: "
                        + (result.has("compact_revision")
                                ? "compacted"
                                : result.at("cancel_reason").text());
            }
            listener.changed(
                    result.at("header").at("revision").number(),
                    result.at("events").items().stream().map(EtcdStream::change).toList());
        }
        return "closed";
    }

    private static Change change(Json event) {
        return new Change(KeyValue.of(event.at("kv")), event.at("type").text().equals("DELETE"));
    }

    @Override
    public void close() {
        closed = true;
        wire.ifPresent(HttpWire::abort);
    }
}
