package dev.incumbent.etcd;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One call: it ends once, by its answer, by its time running out, or by its connection's end; and knows whether it was sent. Thread-safe. */
final class Call<T> {
    private final String what;
    private final boolean writes;
    private final Optional<Txn> txn;
    private final Work<T> work;
    private final CompletableFuture<T> ended = new CompletableFuture<>();
    private boolean sent;
    private boolean over;

    private Call(String what, boolean writes, Optional<Txn> txn, Work<T> work) {
        this.what = what;
        this.writes = writes;
        this.txn = txn;
        this.work = work;
    }

    /** What a call does on its connection: one request after another. */
    interface Work<T> {
        T on(Requests requests) throws IOException;
    }

    static <T> Call<T> of(String what, boolean writes, Work<T> work) {
        return new Call<>(what, writes, Optional.empty(), work);
    }

    /** A transaction, which may be sent together with others. */
    static Call<TxnReply> of(Txn txn) {
        return new Call<>(
                "a transaction",
                txn.writes(),
                Optional.of(txn),
                requests -> Transactions.send(requests, java.util.List.of(txn)).get(0));
    }

    Optional<Txn> txn() {
        return txn;
    }

    CompletableFuture<T> ended() {
        return ended;
    }

    void limit(Duration bound) {
        CompletableFuture<Boolean> timer = new CompletableFuture<>();
        CompletableFuture<Void> expiry = timer.completeOnTimeout(true, bound.toNanos(), TimeUnit.NANOSECONDS)
                .thenAccept(expired -> {
                    if (expired) {
                        fail("etcd did not answer within " + bound.toMillis() + " ms");
                    }
                });
        whenOver(() -> expiry.isDone() || timer.complete(false));
    }

    /** Then, or now if it is over. */
    void whenOver(BooleanSupplier then) {
        CompletableFuture<Boolean> unused = ended.handle((value, failure) -> then.getAsBoolean());
    }

    /** Is about to be sent; false if it is over already, and must not be. */
    synchronized boolean begin() {
        sent = !over;
        return sent;
    }

    synchronized boolean isOver() {
        return over;
    }

    /** Does its work; what is returned ends it in what came of it. */
    Runnable runOn(Requests requests) throws IOException {
        T value = work.on(requests);
        return () -> succeed(value);
    }

    void succeed(T value) {
        if (end()) {
            ended.complete(value);
        }
    }

    /** Ends without an answer. */
    void fail(String why) {
        boolean mayHaveApplied;
        synchronized (this) {
            mayHaveApplied = sent && writes;
        }
        fail(new EtcdException(
                what + ": " + why, mayHaveApplied ? EtcdException.Kind.UNCERTAIN : EtcdException.Kind.NOT_APPLIED));
    }

    void fail(EtcdException why) {
        boolean isHarmless = !writes && why.kind() == EtcdException.Kind.UNCERTAIN;
        if (end()) {
            ended.completeExceptionally(
                    isHarmless ? new EtcdException(text(why), EtcdException.Kind.NOT_APPLIED, why) : why);
        }
    }

    private static String text(EtcdException why) {
        return String.valueOf(why.getMessage());
    }

    private synchronized boolean end() {
        boolean first = !over;
        over = true;
        return first;
    }
}
