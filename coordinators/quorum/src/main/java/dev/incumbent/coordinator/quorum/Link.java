package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.time.Timeline;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One thread's connection to whichever node it asks; kept from one request to the next. Used by one thread; may be closed by any, for good. */
final class Link implements Closeable {
    private final Nodes nodes;
    private final Access access;
    private final Timeline timeline;
    private volatile Optional<Connection> open = Optional.empty();
    private volatile boolean closed;

    Link(Nodes nodes, Wiring wiring) {
        this.nodes = nodes;
        this.access = wiring.access();
        this.timeline = wiring.timeline();
    }

    /** What connections are made with. */
    record Wiring(Access access, Timeline timeline) {}

    /** Makes sure that it is connected to that node; where this throws, nothing was sent. */
    void connect(Nodes.Node node, long untilNanos) throws IOException {
        if (open.isPresent() && (!open.get().node().equals(node) || !open.get().isUsable())) {
            drop();
        }
        if (open.isEmpty()) {
            Connection connection = new Connection(node, nodes.addresses(node), access, timeline);
            open = Optional.of(connection);
            if (closed) {
                connection.close();
            }
            try {
                connection.open(untilNanos);
            } catch (IOException e) {
                drop();
                throw e;
            }
        }
    }

    /** Asks the node that it is connected to. After an exception the connection is gone. */
    HttpReply exchange(String path, String body, long untilNanos) throws IOException {
        Connection connection = open.orElseThrow(() -> new IOException("the connection was closed"));
        long within = Math.max(1, TimeUnit.NANOSECONDS.toMillis(untilNanos - timeline.nanos()));
        try {
            Map<String, String> headers = new HashMap<>(Map.of(Words.WITHIN_HEADER, Long.toString(within)));
            if (!nodes.quorum().isEmpty()) {
                headers.put(Words.QUORUM_HEADER, nodes.quorum());
            }
            headers.put(Words.MEMBERS_HEADER, Long.toString(nodes.listedAt()));
            HttpReply reply = connection.exchange(path, headers, body, untilNanos);
            reply.header(Words.MEMBERS_HEADER)
                    .filter(list -> isOfThisQuorum(reply))
                    .ifPresent(nodes::listed);
            reply.header(Words.NODE_HEADER).ifPresent(name -> nodes.isNamed(connection.node(), name));
            reply.header(Words.LEADER_HEADER).ifPresent(nodes::leads);
            return reply;
        } catch (IOException e) {
            connection.hasFailed();
            drop();
            throw e;
        }
    }

    private boolean isOfThisQuorum(HttpReply reply) {
        return reply.header(Words.QUORUM_HEADER).filter(nodes::isOf).isPresent();
    }

    /** Ends the connection; what waits for an answer over it fails. The next request makes another. */
    void drop() {
        open.ifPresent(Connection::close);
        open = Optional.empty();
    }

    /** Ends the connection that is open now, for its thread to find out. */
    void interrupt() {
        open.ifPresent(Connection::close);
    }

    @Override
    public void close() {
        closed = true;
        interrupt();
    }

    /** What an answer other than 200 means, where it means that trying again does not help. */
    Optional<CoordinatorUnusableException> unusable(Nodes.Node node, HttpReply reply) {
        Optional<String> quorum = reply.header(Words.QUORUM_HEADER);
        if (quorum.isPresent() && !nodes.isOf(quorum.get())) {
            return Optional.of(new CoordinatorUnusableException("the node " + node + " is of the quorum " + quorum.get()
                    + ", and others, or this one before, are of " + nodes.quorum()
                    + "; name the nodes of one, and start anew where it was replaced"));
        }
        return switch (reply.status()) {
            case 200, 408, 503 -> Optional.empty(); // 408: it came too slowly, and was not taken
            case 401 ->
                Optional.of(new CoordinatorUnusableException("the quorum node " + node
                        + " refuses the token; name its file by ?token-file=PATH or put it in INCUMBENT_QUORUM_TOKEN"));
            case 403 ->
                Optional.of(new CoordinatorUnusableException("the quorum node " + node
                        + " knows the token, and does not take this call from it: "
                        + reply.text().strip()));
            case 413 ->
                Optional.of(new CoordinatorUnusableException("the quorum node " + node
                        + " does not take so long a request: " + reply.text().strip()));
            default ->
                Optional.of(new CoordinatorUnusableException("the server at " + node + " answered HTTP "
                        + reply.status() + ", which is none of a quorum node's answers"));
        };
    }
}
