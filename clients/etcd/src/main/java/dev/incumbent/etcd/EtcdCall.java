package dev.incumbent.etcd;

import dev.incumbent.calls.Call;
import dev.incumbent.calls.Failures;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** One call to etcd: what it is called, and what it does over a connection. */
final class EtcdCall<T> extends Call<T> {
    private final String what;
    private final Optional<Txn> txn;
    private final Work<T> work;

    private EtcdCall(String what, boolean writes, long deadlineNanos, Optional<Txn> txn, Work<T> work) {
        super(writes, deadlineNanos);
        this.what = what;
        this.txn = txn;
        this.work = work;
    }

    /** What a call does on its connection: one request after another. */
    interface Work<T> {
        T on(Requests requests) throws IOException;
    }

    /** A call that is sent alone, and may change the store. */
    static <T> EtcdCall<T> writing(String what, long deadlineNanos, Work<T> work) {
        return new EtcdCall<>(what, true, deadlineNanos, Optional.empty(), work);
    }

    /** A call that is sent alone, and changes nothing. */
    static <T> EtcdCall<T> reading(String what, long deadlineNanos, Work<T> work) {
        return new EtcdCall<>(what, false, deadlineNanos, Optional.empty(), work);
    }

    /** A transaction, which may be sent together with others. */
    static EtcdCall<TxnReply> of(Txn txn, long deadlineNanos) {
        return new EtcdCall<>(
                "a transaction",
                txn.writes(),
                deadlineNanos,
                Optional.of(txn),
                requests -> Transactions.send(requests, List.of(txn)).get(0));
    }

    Optional<Txn> txn() {
        return txn;
    }

    /** Does its work; what is returned ends it in what came of it. */
    Runnable runOn(Requests requests) throws IOException {
        T value = work.on(requests);
        return () -> answer(value);
    }

    /** Ends it by what was told of it, or of the calls that it was sent with. */
    void refuse(EtcdException told) {
        boolean isHarmless = !writes() && told.kind() == EtcdException.Kind.UNCERTAIN;
        fail(isHarmless ? told.harmless() : told);
    }

    @Override
    protected RuntimeException failure(String why, boolean mayHaveApplied, Failures failures) {
        return super.failure(why + " (" + what + ")", mayHaveApplied, failures);
    }
}
