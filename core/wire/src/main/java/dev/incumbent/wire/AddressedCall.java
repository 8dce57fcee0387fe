package dev.incumbent.wire;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** One request on its way: by the name, or to one of the host's addresses after the other. Thread-safe. */
final class AddressedCall<T> {
    private static final Duration USUAL_CONNECTING = Duration.ofSeconds(5);
    private static final int PIECE = 16_384;

    private final EveryAddressClient client;
    private final HostConnections host;
    private final HttpRequest request;
    private final HttpResponse.BodyHandler<T> handler;
    private final CompletableFuture<HttpResponse<T>> answer = new CompletableFuture<>();

    /** Completes with the answer's head, which has to come within the request's time. */
    private final CompletableFuture<Void> head = new CompletableFuture<>();

    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private volatile Optional<HttpSocket> connection = Optional.empty();
    private volatile boolean aborted;

    /** Aborted by whoever reads the answer, or by the client's end: that says nothing of the address. */
    private volatile boolean abandoned;

    /** Why it failed by the name. */
    private volatile Optional<Throwable> byName = Optional.empty();

    AddressedCall(
            EveryAddressClient client, HostConnections host, HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        this.client = client;
        this.host = host;
        this.request = request;
        this.handler = handler;
    }

    /** Completes when nothing more happens. */
    CompletableFuture<Void> whole() {
        return end;
    }

    CompletableFuture<HttpResponse<T>> begin() {
        request.timeout().ifPresent(this::limit);
        CompletableFuture<?> unused = answer.whenComplete((response, failure) -> {
            if (answer.isCancelled()) {
                abort();
            }
        });
        if (host.addresses().isFirstUsable()) {
            goByName();
        } else {
            goByAddress();
        }
        return answer;
    }

    private void limit(Duration bound) {
        CompletableFuture<?> unused = head.orTimeout(bound.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void goByName() {
        CompletableFuture<HttpResponse<T>> sent = client.byName().sendAsync(request, handler);
        CompletableFuture<?> unused = answer.whenComplete((response, failure) -> sent.cancel(true));
        CompletableFuture<?> unusedToo = sent.whenComplete((response, failure) -> {
            if (failure == null) {
                answer.complete(response);
                end();
            } else {
                failedByName(unwrapped(failure));
            }
        });
    }

    private void failedByName(Throwable why) {
        if (isOfTheAddress(why)) {
            host.addresses().firstHasFailed();
        }
        if (isUnreached(why) && byName.isEmpty() && !isOver()) {
            byName = Optional.of(why);
            goByAddress();
        } else {
            answer.completeExceptionally(why);
            end();
        }
    }

    private void end() {
        head.complete(null);
        end.complete(null);
    }

    /** Once more, where it went by the name before. */
    private void goByAddress() {
        CompletableFuture<?> unused = head.whenComplete((begun, late) -> {
            if (late != null) {
                fail(new HttpTimeoutException("no answer within its time"));
                abort();
            }
        });
        if (!client.runs(this::run)) {
            fail(new IOException("the client was closed"));
            end();
        }
    }

    /** On a thread of its own. */
    private void run() {
        try {
            if (!host.isOneAddress()) {
                exchange();
            } else if (byName.isPresent()) {
                fail(byName.get());
            } else if (head.complete(null) && !isOver()) {
                byName = Optional.of(new ConnectException("there is one address"));
                goByName();
                return;
            } else {
                throw unawaited();
            }
        } catch (IOException | RuntimeException failure) {
            fail(failure);
        }
        end();
    }

    private void exchange() throws IOException {
        Optional<byte[]> body = request.bodyPublisher().map(BodyBytes::of);
        HttpSocket open = host.connected(connecting(), this::isOver, it -> connection = Optional.of(it));
        if (isOver()) {
            open.abort();
            throw unawaited();
        }
        try {
            open.send(request.method(), request.uri(), request.headers().map(), body);
            HttpHead told = open.receive(request.method());
            head.complete(null);
            hear(told, open);
        } catch (IOException | RuntimeException failure) {
            connection.ifPresent(abandoned ? HttpSocket::abort : host::leave);
            throw failure;
        }
    }

    /** Nothing was sent: meanwhile it was late, or was left. */
    private static ConnectException unawaited() {
        return new ConnectException("nobody waits for the answer");
    }

    /** Gives the body to who asks for it, piece by piece. */
    private void hear(HttpHead told, HttpSocket open) throws IOException {
        HttpResponse.BodySubscriber<T> subscriber = handler.apply(told);
        CompletionStage<?> unused = subscriber
                .getBody()
                .whenCompleteAsync(
                        (body, failure) -> {
                            if (failure == null) {
                                answer.complete(new AddressedAnswer<>(request, told, body));
                            } else {
                                answer.completeExceptionally(unwrapped(failure));
                            }
                        },
                        client.hearing());
        DemandedPieces demand = new DemandedPieces(this::abandon);
        subscriber.onSubscribe(demand);
        byte[] piece = new byte[PIECE];
        try {
            while (demand.await()) {
                int length = told.body().read(piece);
                if (length < 0) {
                    giveBack(open, told.isLast());
                    subscriber.onComplete();
                    return;
                }
                byte[] copy = Arrays.copyOf(piece, length);
                subscriber.onNext(List.of(ByteBuffer.wrap(copy).asReadOnlyBuffer()));
            }
            open.abort();
        } catch (IOException failure) {
            subscriber.onError(failure);
            throw failure;
        }
    }

    /** Before its reader hears of the end: what that one sends next may go over it, and what it cancels then ends no connection. */
    private void giveBack(HttpSocket open, boolean isLast) {
        connection = Optional.empty();
        if (aborted || isLast) {
            open.abort();
        } else {
            host.giveBack(open);
        }
    }

    private Duration connecting() {
        return client.connectTimeout().or(request::timeout).orElse(USUAL_CONNECTING);
    }

    private boolean isOver() {
        return aborted || answer.isDone() || head.isCompletedExceptionally();
    }

    private void fail(Throwable why) {
        client.hearing().execute(() -> answer.completeExceptionally(why));
    }

    /** Ends it, and no address has failed. */
    void abandon() {
        abandoned = true;
        abort();
    }

    /** Ends it, and its connection under whoever uses it. */
    private void abort() {
        aborted = true;
        connection.ifPresent(HttpSocket::abort);
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** No connection came about, so that nothing was sent; and that is no fault of the name. */
    private static boolean isUnreached(Throwable failure) {
        return (failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException)
                && !(root(failure) instanceof UnresolvedAddressException);
    }

    /** Or it was late, and so was left. */
    private static boolean isOfTheAddress(Throwable failure) {
        return isUnreached(failure)
                || failure instanceof HttpTimeoutException
                || failure instanceof CancellationException;
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
