package dev.incumbent.wire;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Gathers the body of a request. */
final class BodyBytes implements Flow.Subscriber<ByteBuffer> {
    private final ByteArrayOutputStream gathered = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();

    private BodyBytes() {}

    /** Waits for all of it. */
    static byte[] of(HttpRequest.BodyPublisher body) {
        BodyBytes bytes = new BodyBytes();
        body.subscribe(bytes);
        return bytes.whole.join();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer piece) {
        byte[] bytes = new byte[piece.remaining()];
        piece.get(bytes);
        gathered.writeBytes(bytes);
    }

    @Override
    public void onError(Throwable failure) {
        whole.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        whole.complete(gathered.toByteArray());
    }
}
