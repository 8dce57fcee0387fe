package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One daemon thread, and the calls that wait for it. Calls that wait together travel together; each has its own outcome.
 *
 * <p>A call goes from node to node until one takes it or its time is up, but what changes the store is handed to a second node only where the
 * first surely did nothing: it was not reached, or said so.
 */
final class Lane implements AutoCloseable {
    private static final int MOST_AT_ONCE = 512;
    private static final int MOST_TEXT_AT_ONCE = 1 << 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long STACK_BYTES = 256 << 10;

    private final String name;
    private final String where;
    private final boolean changes;
    private final Nodes nodes;
    private final Timeline timeline;
    private final Link link;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Deque<Call<?>> waiting = new ArrayDeque<>();
    private boolean running;
    private volatile boolean closed;

    /**
     * A lane.
     *
     * @param where the quorum, for people
     * @param changes do its calls change the store
     */
    Lane(String name, String where, boolean changes, Nodes nodes, Wiring wiring) {
        this.name = name;
        this.where = where;
        this.changes = changes;
        this.nodes = nodes;
        this.timeline = wiring.timeline();
        this.link = new Link(nodes, wiring.access(), timeline);
    }

    /** What connections are made with. */
    record Wiring(Access access, Timeline timeline) {}

    /** Lets a call run; never blocks. */
    <T> Call<T> submit(Call<T> call) {
        call.boundBy(timeline, where);
        lock.lock();
        try {
            if (!closed) {
                waiting.addLast(call);
                if (!running) {
                    running = true;
                    start();
                }
                arrived.signal();
                return call;
            }
        } finally {
            lock.unlock();
        }
        call.fail("the client of " + where + " is closed");
        return call;
    }

    /** Ends the calls under way. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        link.close();
    }

    private void start() {
        Thread thread = new Thread(null, this::run, "incumbent-quorum-" + name, STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = serveNext();
        }
        link.drop();
        fail(leftOver(), "the client of " + where + " was closed meanwhile");
    }

    /** False once it is closed. What it served is forgotten when it returns: answers may be long, and so may the wait for the next calls. */
    private boolean serveNext() {
        List<Call<?>> batch = next();
        if (batch.isEmpty()) {
            return false;
        }
        try {
            perform(batch);
        } catch (RuntimeException | Error e) {
            link.drop();
            fail(batch, name + " of " + where + " failed: " + e);
        }
        return true;
    }

    private List<Call<?>> leftOver() {
        lock.lock();
        try {
            List<Call<?>> left = List.copyOf(waiting);
            waiting.clear();
            return left;
        } finally {
            lock.unlock();
        }
    }

    /** The calls that wait, at least one; none when the lane is closed. */
    private List<Call<?>> next() {
        List<Call<?>> batch = new ArrayList<>();
        lock.lock();
        try {
            while (batch.isEmpty() && !closed) {
                int text = 0;
                while (!waiting.isEmpty() && batch.size() < MOST_AT_ONCE && text < MOST_TEXT_AT_ONCE) {
                    Call<?> call = waiting.removeFirst();
                    if (!call.isDone()) {
                        batch.add(call);
                        text += call.line().length();
                    }
                }
                if (batch.isEmpty()) {
                    arrived.awaitUninterruptibly();
                }
            }
        } finally {
            lock.unlock();
        }
        return batch;
    }

    /** Brings every call of the batch to its end, which its deadline is at the latest. */
    private void perform(List<Call<?>> batch) {
        long untilNanos = latest(batch);
        Set<Nodes.Node> asked = new HashSet<>();
        boolean anyAnswered = false;
        String why = "nobody was asked";
        List<Call<?>> left = open(batch);
        while (!left.isEmpty() && !closed) {
            Optional<Nodes.Node> node = nodes.next(asked);
            if (node.isEmpty()) {
                if (!anyAnswered) {
                    fail(left, "no node of " + where + " can be reached: " + why);
                    return;
                }
                pause();
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
        fail(left, "the client of " + where + " was closed meanwhile");
    }

    /** How one node took it. */
    private record Attempt(boolean answered, String why) {}

    private Attempt attempt(List<Call<?>> calls, Nodes.Node node, long untilNanos) {
        long now = timeline.nanos();
        long third = now + (untilNanos - now) / 3;
        try {
            link.connect(node, third);
        } catch (IOException e) {
            nodes.failed(node);
            return new Attempt(false, node + ": " + reason(e));
        }
        List<String> lines = calls.stream().map(Call::line).toList();
        long sentAt = timeline.nanos();
        calls.forEach(call -> call.sendsAt(sentAt));
        try {
            long answerBy = changes ? untilNanos : sentAt + (untilNanos - sentAt) / 2;
            return taken(calls, node, link.exchange(Words.CALLS, Line.body(lines), answerBy));
        } catch (IOException e) {
            nodes.failed(node);
            String why = node + ": " + reason(e);
            if (changes) {
                fail(calls, "no answer from " + where + ", which was asked: " + why);
            } else {
                calls.forEach(Call::cameBack);
            }
            return new Attempt(false, why);
        }
    }

    private Attempt taken(List<Call<?>> calls, Nodes.Node node, HttpReply reply) {
        Optional<CoordinatorUnusableException> unusable = link.unusable(node, reply);
        if (unusable.isPresent()) {
            calls.forEach(call -> call.fail(unusable.get()));
            return new Attempt(true, "");
        }
        List<String> answers = reply.status() == 200 ? Line.lines(reply.text()) : List.of();
        if (reply.status() == 200 && answers.size() != calls.size()) {
            fail(calls, node + " answered " + answers.size() + " of " + calls.size() + " calls");
            return new Attempt(true, "");
        }
        String why = reply.status() == 200 ? "" : node + ": " + reply.text().strip();
        for (int i = 0; i < calls.size(); i++) {
            if (answers.isEmpty()) {
                calls.get(i).cameBack();
            } else {
                why = settle(calls.get(i), node, Line.fields(answers.get(i)), why);
            }
        }
        if (!why.isEmpty()) {
            nodes.failed(node);
        }
        return new Attempt(true, why);
    }

    /** Ends the call, or takes it back where the node surely did nothing; why so, or what was said before. */
    private String settle(Call<?> call, Nodes.Node node, List<String> answer, String before) {
        switch (answer.get(0)) {
            case Words.ELSEWHERE -> {
                call.cameBack();
                return "";
            }
            case Words.LATER -> {
                call.cameBack();
                return node + ": " + answer.get(1);
            }
            case Words.UNCERTAIN -> {
                nodes.failed(node);
                call.fail(node + " could not tell the outcome: " + answer.get(1));
            }
            case Words.BAD -> {
                call.cameBack();
                call.fail(node + " does not take this call: " + answer.get(1));
            }
            default -> call.answer(answer);
        }
        return before;
    }

    private void pause() {
        lock.lock();
        try {
            long left = PAUSE_NANOS;
            while (left > 0 && !closed) {
                left = arrived.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static List<Call<?>> open(List<Call<?>> calls) {
        return calls.stream().filter(call -> !call.isDone()).toList();
    }

    private static void fail(List<Call<?>> calls, String why) {
        calls.forEach(call -> call.fail(why));
    }

    private static long latest(List<Call<?>> batch) {
        long latest = batch.get(0).deadlineNanos();
        for (Call<?> call : batch) {
            latest = call.deadlineNanos() - latest > 0 ? call.deadlineNanos() : latest;
        }
        return latest;
    }
}
