package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Asks the nodes what only operators may: one node after another, on the calling thread, until one has answered all that is asked of it. Keeps no connection in between. */
public final class QuorumOperator {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final QuorumUri uri;
    private final Timeline timeline;
    private final Duration patience;

    QuorumOperator(QuorumUri uri, Timeline timeline, Duration patience) {
        this.uri = uri;
        this.timeline = timeline;
        this.patience = patience;
    }

    /**
     * Of the quorum at a URI as the coordinator takes it; its token must be an operator's.
     *
     * @param patience how long one answer may take
     */
    public static QuorumOperator at(String uri, Timeline timeline, Duration patience) {
        return new QuorumOperator(
                QuorumUri.of(uri, name -> Optional.ofNullable(System.getenv(name))), timeline, patience);
    }

    /** One node, asked over one connection. */
    public final class Node {
        private final Nodes.Node node;
        private final Link link;

        private Node(Nodes.Node node, Link link) {
            this.node = node;
            this.link = link;
        }

        /**
         * What a POST there is answered. Throws an IOException where the node does not answer, cannot now, or knows no such path, so that the next one is asked; a
         * {@link CoordinatorUnusableException} where asking another would not help.
         */
        public String ask(String path, String body) throws IOException {
            return text(path, exchange(path, body));
        }

        /** The answer, whatever its status. */
        HttpReply exchange(String path, String body) throws IOException {
            long now = timeline.nanos();
            link.connect(node, now + patience.toNanos() / 3);
            return link.exchange(path, body, now + patience.toNanos());
        }

        /** What a good answer says; the other ones are thrown, as above. */
        String text(String path, HttpReply reply) throws IOException {
            if (reply.status() == 404) {
                throw new IOException(
                        "it does not know " + path + ": " + reply.text().strip());
            }
            Optional<CoordinatorUnusableException> unusable = link.unusable(node, reply);
            if (unusable.isPresent()) {
                throw unusable.get();
            }
            if (reply.status() != 200) {
                throw new NotNow(
                        "it answers " + reply.status() + ": " + reply.text().strip());
            }
            return reply.text();
        }

        @Override
        public String toString() {
            return node.toString();
        }
    }

    /** What is asked of one node. */
    @FunctionalInterface
    public interface Talk<T> {
        /** Asks, and tells what came of it; where this throws an IOException, all of it is asked of the next node. */
        T with(Node node) throws IOException;
    }

    /**
     * What came of the talk with the first node that answered all of it. As long as some answer that they cannot now, all are asked again, until the patience for one answer is over. Throws a
     * {@link CoordinatorException} that names why each did not.
     */
    public <T> T ask(Talk<T> talk) throws InterruptedException {
        Nodes nodes = new Nodes(uri.nodes());
        long until = timeline.nanos() + patience.toNanos();
        while (true) {
            Round<T> round = round(nodes, talk);
            if (round.found().isPresent()) {
                return round.found().get();
            }
            if (!round.anyAnswered() || timeline.nanos() - until > 0) {
                throw new CoordinatorException(
                        "no node of " + uri.label() + " could answer (" + String.join("; ", round.why()) + ")", false);
            }
            SystemTimeline.sleep(PAUSE);
        }
    }

    private record Round<T>(Optional<T> found, boolean anyAnswered, List<String> why) {}

    /** Asks each once, until one has answered. */
    private <T> Round<T> round(Nodes nodes, Talk<T> talk) {
        Set<Nodes.Node> asked = new HashSet<>();
        List<String> why = new ArrayList<>();
        boolean anyAnswered = false;
        for (Optional<Nodes.Node> next = nodes.next(asked); next.isPresent(); next = nodes.next(asked)) {
            asked.add(next.get());
            Link link = new Link(nodes, new Link.Wiring(uri.access(), timeline));
            try {
                return new Round<>(Optional.of(talk.with(new Node(next.get(), link))), true, List.of());
            } catch (IOException e) {
                anyAnswered |= e instanceof NotNow;
                why.add(next.get() + ": "
                        + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()));
            } finally {
                link.close();
            }
        }
        return new Round<>(Optional.empty(), anyAnswered, why);
    }

    /** The node said that it cannot at this moment. */
    static final class NotNow extends IOException {
        private static final long serialVersionUID = 1L;

        NotNow(String why) {
            super(why);
        }
    }
}
