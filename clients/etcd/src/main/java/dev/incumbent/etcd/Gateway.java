package dev.incumbent.etcd;

import dev.incumbent.calls.Call;
import dev.incumbent.calls.Server;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Serves a lane over one connection to a member's gateway; transactions that wait are sent together. A call whose time runs out under way takes its connection with
 * it, and the next one goes to another member.
 */
final class Gateway implements Server<EtcdCall<?>> {
    private final Connections connections;

    /** Set by the lane's thread, and aborted by any. */
    private volatile Optional<HttpWire> wire = Optional.empty();

    /** Belongs to the lane's thread. */
    private Optional<Requests> requests = Optional.empty();

    Gateway(Connections connections) {
        this.connections = connections;
    }

    /** The first, with all that may be sent with it. */
    @Override
    public void take(Deque<EtcdCall<?>> waiting, List<EtcdCall<?>> taken) {
        Transactions together = new Transactions();
        while (!waiting.isEmpty() && mayJoin(taken, together, waiting.getFirst())) {
            taken.add(waiting.removeFirst());
        }
    }

    private static boolean mayJoin(List<EtcdCall<?>> taken, Transactions together, EtcdCall<?> next) {
        boolean alone = next.txn().isEmpty();
        return alone
                ? taken.isEmpty()
                : isOfTransactions(taken) && together.take(next.txn().get());
    }

    private static boolean isOfTransactions(List<EtcdCall<?>> taken) {
        return taken.isEmpty() || taken.get(0).txn().isPresent();
    }

    @Override
    public Runnable serve(List<EtcdCall<?>> calls) {
        try {
            return carryOut(calls);
        } catch (EtcdException refused) {
            if (refused.kind() == EtcdException.Kind.UNCERTAIN) {
                hangUp();
            }
            return () -> calls.forEach(call -> call.refuse(refused));
        } catch (IOException broken) {
            String why = "the connection to " + where() + " broke: " + broken.getMessage();
            hangUp();
            return () -> calls.forEach(call -> call.fail(why, EtcdException::of));
        } catch (RuntimeException | Error unexpected) {
            hangUp();
            throw unexpected;
        }
    }

    private Runnable carryOut(List<EtcdCall<?>> calls) throws IOException {
        Requests connected = connected(calls);
        List<EtcdCall<?>> sent = new ArrayList<>(calls);
        sent.removeIf(call -> !call.send());
        if (sent.size() == 1) {
            return sent.get(0).runOn(connected);
        }
        return sent.isEmpty() ? () -> {} : runTogether(connected, sent);
    }

    private static Runnable runTogether(Requests connected, List<EtcdCall<?>> calls) throws IOException {
        try {
            List<Txn> all = calls.stream().flatMap(call -> call.txn().stream()).toList();
            List<TxnReply> replies = Transactions.send(connected, all);
            List<Runnable> outcomes = new ArrayList<>();
            for (int i = 0; i < replies.size(); i++) {
                TxnReply reply = replies.get(i);
                Call<TxnReply> call = transaction(calls.get(i));
                outcomes.add(() -> call.answer(reply));
            }
            return () -> outcomes.forEach(Runnable::run);
        } catch (EtcdException refused) {
            if (refused.kind() == EtcdException.Kind.UNCERTAIN) {
                throw refused;
            }
            return runOneByOne(connected, calls);
        }
    }

    /** Where etcd refused them as a whole, for what one of them asks, nothing was done: then each goes on its own. */
    private static Runnable runOneByOne(Requests connected, List<EtcdCall<?>> calls) throws IOException {
        calls.forEach(Call::takeBack);
        List<Runnable> outcomes = new ArrayList<>();
        for (EtcdCall<?> call : calls) {
            if (call.send()) {
                outcomes.add(runAlone(connected, call));
            }
        }
        return () -> outcomes.forEach(Runnable::run);
    }

    private static Runnable runAlone(Requests connected, EtcdCall<?> call) throws IOException {
        try {
            return call.runOn(connected);
        } catch (EtcdException refused) {
            if (refused.kind() == EtcdException.Kind.UNCERTAIN) {
                throw refused;
            }
            return () -> call.refuse(refused);
        }
    }

    @SuppressWarnings("unchecked") // A call with a transaction is made by one factory, and answers with its reply.
    private static Call<TxnReply> transaction(EtcdCall<?> call) {
        return (Call<TxnReply>) call;
    }

    /** The connection, had anew if there is none: each member is tried once. Nothing of the calls is sent by it. */
    private Requests connected(List<EtcdCall<?>> calls) throws IOException {
        if (requests.isPresent() && !wire.map(HttpWire::isUsable).orElse(false)) {
            hangUp();
        }
        for (int attempt = 1; requests.isEmpty(); attempt++) {
            HttpWire next = connections.next();
            wire = Optional.of(next);
            boolean nobodyWaits = calls.stream().allMatch(Call::isOver);
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

    private String where() {
        return wire.map(it -> it.endpoint().toString()).orElse("etcd");
    }

    private void hangUp() {
        requests = Optional.empty();
        Optional<HttpWire> last = wire;
        wire = Optional.empty();
        last.ifPresent(broken -> {
            broken.abort();
            connections.leave(broken);
        });
    }

    /** Ends the connection of calls that nobody waits for, so that the next one has another. */
    @Override
    public void abandoned() {
        wire.ifPresent(HttpWire::abort);
    }

    @Override
    public void aborted() {
        wire.ifPresent(HttpWire::abort);
    }

    @Override
    public void leave() {
        hangUp();
    }
}
