package dev.incumbent.coordinator.quorum;

import dev.incumbent.calls.Call;
import dev.incumbent.calls.Lane;
import dev.incumbent.calls.Server;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Takes requests to the nodes: a lane with one thread, which has one connection. Requests that wait together travel together; each has its own outcome.
 *
 * <p>A request goes from node to node until one takes it or its time is up, but what changes the store is handed to a second node only where the
 * first surely did nothing: it was not reached, or said so.
 */
final class Messenger implements Server<Request<?>>, AutoCloseable {
    private static final int MOST_AT_ONCE = 512;
    private static final int MOST_TEXT_AT_ONCE = 512 << 10;
    private static final Duration PAUSE = Duration.ofMillis(25);
    /** Enough for what asks nodes. */
    static final long STACK_BYTES = 256 << 10;

    private final String where;
    private final Nodes nodes;
    private final Timeline timeline;
    private final Link link;
    private final Lane<Request<?>> lane;

    /**
     * A messenger without a thread as yet.
     *
     * @param where the quorum, for people
     */
    Messenger(String name, String where, Nodes nodes, Link.Wiring wiring) {
        this.where = where;
        this.nodes = nodes;
        this.timeline = wiring.timeline();
        this.link = new Link(nodes, wiring);
        this.lane = new Lane<>(
                Lane.Rules.oneThread("incumbent-quorum-" + name).withStackBytes(STACK_BYTES),
                (nanos, task) -> timeline.at(nanos, task)::cancel,
                (why, mayHaveApplied) ->
                        new CoordinatorException("the coordinator " + where + " " + why, mayHaveApplied),
                () -> this);
    }

    /** Lets a request travel; never blocks. */
    <T> Request<T> submit(Request<T> request) {
        lane.submit(request);
        return request;
    }

    /** Ends the requests under way. */
    @Override
    public void close() {
        lane.close();
    }

    @Override
    public void take(Deque<Request<?>> waiting, List<Request<?>> together) {
        int text = 0;
        while (!waiting.isEmpty() && together.size() < MOST_AT_ONCE && text < MOST_TEXT_AT_ONCE) {
            Request<?> request = waiting.removeFirst();
            if (!request.isOver()) {
                together.add(request);
                text += request.line().length();
            }
        }
    }

    @Override
    public Runnable serve(List<Request<?>> together) {
        try {
            deliver(together);
        } catch (RuntimeException | Error e) {
            link.drop();
            throw e;
        }
        return () -> {};
    }

    @Override
    public void abandoned() {
        link.interrupt();
    }

    @Override
    public void aborted() {
        link.close();
    }

    @Override
    public void leave() {
        link.drop();
    }

    /** Brings each to its end, which its deadline is at the latest; once the lane is closed, that has ended them. */
    private void deliver(List<Request<?>> together) {
        long untilNanos = latest(together);
        Set<Nodes.Node> asked = new HashSet<>();
        boolean anyAnswered = false;
        String why = "nobody was asked";
        List<Request<?>> left = open(together);
        while (!left.isEmpty() && !lane.isClosed()) {
            Optional<Nodes.Node> node = nodes.next(asked);
            if (node.isEmpty()) {
                if (!anyAnswered) {
                    fail(left, "no node of " + where + " can be reached: " + why);
                    return;
                }
                lane.pause(PAUSE);
                asked.clear();
                anyAnswered = false;
            } else {
                asked.add(node.get());
                Attempt attempt = attempt(left, node.get(), untilNanos);
                anyAnswered |= attempt.answered();
                why = attempt.why();
                left = open(left);
            }
        }
    }

    /** How one node took it. */
    private record Attempt(boolean answered, String why) {}

    private Attempt attempt(List<Request<?>> requests, Nodes.Node node, long untilNanos) {
        long now = timeline.nanos();
        try {
            link.connect(node, now + (untilNanos - now) / 3);
        } catch (IOException e) {
            return unanswered(node, e);
        }
        long sentAt = timeline.nanos();
        List<Request<?>> sent = sent(requests, sentAt);
        boolean writes = sent.stream().anyMatch(Call::writes);
        long answerBy = writes ? untilNanos : sentAt + (untilNanos - sentAt) / 2;
        String lines = Line.body(sent.stream().map(Request::line).toList());
        try {
            return sent.isEmpty()
                    ? new Attempt(true, "")
                    : taken(sent, node, link.exchange(Words.CALLS, lines, answerBy));
        } catch (IOException e) {
            Attempt attempt = unanswered(node, e);
            if (writes) {
                fail(sent, "no answer from " + where + ", which was asked: " + attempt.why());
            } else {
                sent.forEach(Call::takeBack);
            }
            return attempt;
        }
    }

    /** Those that may be sent still: from here on they may have applied. */
    private static List<Request<?>> sent(List<Request<?>> requests, long nanos) {
        List<Request<?>> sent = new ArrayList<>(requests);
        sent.removeIf(request -> !request.sendAt(nanos));
        return sent;
    }

    private Attempt unanswered(Nodes.Node node, IOException e) {
        nodes.failed(node);
        return new Attempt(
                false, node + ": " + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()));
    }

    private Attempt taken(List<Request<?>> requests, Nodes.Node node, HttpReply reply) {
        Optional<CoordinatorUnusableException> unusable = link.unusable(node, reply);
        if (unusable.isPresent()) {
            requests.forEach(request -> request.fail(unusable.get()));
            return new Attempt(true, "");
        }
        List<String> answers = reply.status() == 200 ? Line.lines(reply.text()) : List.of();
        if (reply.status() == 200 && answers.size() != requests.size()) {
            fail(requests, node + " answered " + answers.size() + " of " + requests.size() + " calls");
            return new Attempt(true, "");
        }
        String why = reply.status() == 200 ? "" : node + ": " + reply.text().strip();
        for (int i = 0; i < requests.size(); i++) {
            if (answers.isEmpty()) {
                requests.get(i).takeBack();
            } else {
                why = settle(requests.get(i), node, Line.fields(answers.get(i)), why);
            }
        }
        if (!why.isEmpty()) {
            nodes.failed(node);
        }
        return new Attempt(true, why);
    }

    /** Ends the request, or takes it back where the node surely did nothing; why so, or what was said before. */
    private String settle(Request<?> request, Nodes.Node node, List<String> answer, String before) {
        switch (answer.get(0)) {
            case Words.ELSEWHERE -> {
                request.takeBack();
                return "";
            }
            case Words.LATER -> {
                request.takeBack();
                return node + ": " + answer.get(1);
            }
            case Words.UNCERTAIN -> {
                nodes.failed(node);
                fail(request, node + " could not tell the outcome: " + answer.get(1));
            }
            case Words.BAD -> {
                request.takeBack();
                fail(request, node + " does not take this call: " + answer.get(1));
            }
            default -> request.settle(answer);
        }
        return before;
    }

    private static List<Request<?>> open(List<Request<?>> requests) {
        return requests.stream().filter(request -> !request.isOver()).toList();
    }

    private static void fail(List<Request<?>> requests, String why) {
        requests.forEach(request -> fail(request, why));
    }

    private static void fail(Request<?> request, String why) {
        request.fail(why, CoordinatorException::new);
    }

    private static long latest(List<Request<?>> together) {
        long latest = together.get(0).deadlineNanos();
        for (Request<?> request : together) {
            latest = request.deadlineNanos() - latest > 0 ? request.deadlineNanos() : latest;
        }
        return latest;
    }
}
