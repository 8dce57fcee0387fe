package dev.incumbent.etcd;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * One thread with one connection, for one call after another; transactions that wait are sent together. The thread starts with the first call.
 *
 * <p>A call whose time runs out is abandoned: if it was under way, its connection ends with it, and the next one goes to another member.
 */
final class Lane implements AutoCloseable {
    private final String name;
    private final Connections connections;
    private final Duration bound;

    private final Object lock = new Object();
    private final Deque<Call<?>> waiting = new ArrayDeque<>();
    private List<Call<?>> underWay = List.of();
    private Optional<HttpWire> wire = Optional.empty();
    private boolean started;
    private boolean closed;

    /** Belongs to the lane's thread. */
    private Optional<Requests> requests = Optional.empty();

    Lane(String name, Connections connections, Duration bound) {
        this.name = name;
        this.connections = connections;
        this.bound = bound;
    }

    <T> java.util.concurrent.CompletableFuture<T> submit(Call<T> call) {
        synchronized (lock) {
            if (!closed) {
                waiting.add(call);
                start();
                lock.notifyAll();
            }
        }
        if (isClosed()) {
            call.fail("the client is closed");
        } else {
            call.limit(bound);
            call.whenOver(this::abandonIfOver);
        }
        return call.ended();
    }

    private void start() {
        if (!started) {
            started = true;
            Thread thread = new Thread(this::serve, "incumbent-etcd-" + name);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    /** Nobody waits any more for what is under way: ends its connection, so that the next call has one. */
    private boolean abandonIfOver() {
        synchronized (lock) {
            boolean over = !underWay.isEmpty() && underWay.stream().allMatch(Call::isOver);
            if (over) {
                wire.ifPresent(HttpWire::abort);
            }
            return over;
        }
    }

    @Override
    public void close() {
        List<Call<?>> left = new ArrayList<>();
        Optional<HttpWire> open;
        synchronized (lock) {
            closed = true;
            left.addAll(underWay);
            left.addAll(waiting);
            waiting.clear();
            open = wire;
            lock.notifyAll();
        }
        left.forEach(call -> call.fail("the client was closed"));
        open.ifPresent(HttpWire::abort);
    }

    private void serve() {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = serveNext();
        }
        hangUp();
    }

    /** False once it is closed. What it served is forgotten when it returns: answers may be long, and so may the wait for the next calls. */
    private boolean serveNext() {
        List<Call<?>> calls = next();
        if (calls.isEmpty()) {
            return false;
        }
        Runnable outcome = outcome(calls);
        settle();
        outcome.run();
        return true;
    }

    private Runnable outcome(List<Call<?>> calls) {
        try {
            return carryOut(calls);
        } catch (EtcdException refused) {
            if (refused.kind() == EtcdException.Kind.UNCERTAIN) {
                hangUp();
            }
            return () -> calls.forEach(call -> call.fail(refused));
        } catch (IOException broken) {
            String why = "the connection to " + where() + " broke: " + broken.getMessage();
            hangUp();
            return () -> calls.forEach(call -> call.fail(why));
        } catch (RuntimeException unexpected) {
            hangUp();
            return () -> calls.forEach(call -> call.fail("unexpected: " + unexpected));
        }
    }

    /** What was under way has its outcome, and can be abandoned no more. */
    private void settle() {
        boolean cut;
        synchronized (lock) {
            underWay = List.of();
            cut = wire.map(HttpWire::isAborted).orElse(false);
        }
        if (cut) {
            hangUp();
        }
    }

    /** Waits for calls, and takes the first, with all that may be sent with it; none once it is closed. */
    private List<Call<?>> next() {
        synchronized (lock) {
            underWay = List.of();
            while (waiting.isEmpty() && !closed) {
                try {
                    lock.wait();
                } catch (InterruptedException nobodyInterruptsUs) {
                    closed = true;
                }
            }
            List<Call<?>> taken = new ArrayList<>();
            Transactions together = new Transactions();
            while (!waiting.isEmpty() && mayJoin(taken, together, waiting.getFirst())) {
                taken.add(waiting.removeFirst());
            }
            underWay = List.copyOf(taken);
            return underWay;
        }
    }

    private static boolean mayJoin(List<Call<?>> taken, Transactions together, Call<?> next) {
        boolean alone = next.txn().isEmpty();
        return alone
                ? taken.isEmpty()
                : isOfTransactions(taken) && together.take(next.txn().get());
    }

    private static boolean isOfTransactions(List<Call<?>> taken) {
        return taken.isEmpty() || taken.get(0).txn().isPresent();
    }

    private Runnable carryOut(List<Call<?>> calls) throws IOException {
        Requests connected = connected(calls);
        List<Call<?>> begun = calls.stream().filter(Call::begin).toList();
        if (begun.size() == 1) {
            return begun.get(0).runOn(connected);
        }
        return begun.isEmpty() ? () -> {} : runTogether(connected, begun);
    }

    /** Where etcd refuses them as a whole, for what one of them asks, nothing was done: then each goes on its own. */
    private static Runnable runTogether(Requests connected, List<Call<?>> calls) throws IOException {
        List<Runnable> outcomes = new ArrayList<>();
        try {
            List<Txn> all = calls.stream().flatMap(call -> call.txn().stream()).toList();
            List<TxnReply> replies = Transactions.send(connected, all);
            for (int i = 0; i < replies.size(); i++) {
                TxnReply reply = replies.get(i);
                Call<TxnReply> call = transaction(calls.get(i));
                outcomes.add(() -> call.succeed(reply));
            }
        } catch (EtcdException refused) {
            if (refused.kind() == EtcdException.Kind.UNCERTAIN) {
                throw refused;
            }
            for (Call<?> call : calls) {
                outcomes.add(alone(connected, call));
            }
        }
        return () -> outcomes.forEach(Runnable::run);
    }

    private static Runnable alone(Requests connected, Call<?> call) throws IOException {
        try {
            return call.runOn(connected);
        } catch (EtcdException refused) {
            if (refused.kind() == EtcdException.Kind.UNCERTAIN) {
                throw refused;
            }
            return () -> call.fail(refused);
        }
    }

    @SuppressWarnings("unchecked") // A call with a transaction is made by one factory, and answers with its reply.
    private static Call<TxnReply> transaction(Call<?> call) {
        return (Call<TxnReply>) call;
    }

    /** The connection, had anew if there is none: each member is tried once. Nothing of the calls is sent by it. */
    private Requests connected(List<Call<?>> calls) throws IOException {
        if (requests.isPresent() && !isUsable()) {
            hangUp();
        }
        for (int attempt = 1; requests.isEmpty(); attempt++) {
            HttpWire next = connections.next();
            synchronized (lock) {
                wire = Optional.of(next);
            }
            boolean nobodyWaits = isClosed() || calls.stream().allMatch(Call::isOver);
            try {
                requests = Optional.of(connections.connect(next));
            } catch (IOException failure) {
                next.abort();
                connections.leave(next);
                if (nobodyWaits || attempt >= connections.count()) {
                    throw connections.unreachable(next, failure);
                }
            }
        }
        return requests.get();
    }

    private boolean isUsable() {
        synchronized (lock) {
            return wire.isPresent() && wire.get().isUsable();
        }
    }

    private String where() {
        synchronized (lock) {
            return wire.map(it -> it.endpoint().toString()).orElse("etcd");
        }
    }

    private void hangUp() {
        requests = Optional.empty();
        Optional<HttpWire> last;
        synchronized (lock) {
            last = wire;
            wire = Optional.empty();
        }
        last.ifPresent(broken -> {
            broken.abort();
            connections.leave(broken);
        });
    }
}
