package dev.incumbent.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/**
 * The body of an HTTP answer as text in UTF-8, up to a limit. A longer one is read no further: its call fails with an {@link IOException} that names the limit, and the
 * client drops the connection. Used for one answer.
 */
public final class BoundedBody implements HttpResponse.BodySubscriber<String> {
    private final int mostBytes;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<String> text = new CompletableFuture<>();
    private Optional<Flow.Subscription> subscription = Optional.empty();

    private BoundedBody(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** For {@code HttpClient.send} and {@code sendAsync}; may be used for any number of answers. */
    public static HttpResponse.BodyHandler<String> ofAtMost(int mostBytes) {
        return answer -> new BoundedBody(mostBytes);
    }

    @Override
    public CompletionStage<String> getBody() {
        return text;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = Optional.of(given);
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> more) {
        for (ByteBuffer piece : more) {
            if (text.isDone()) {
                return;
            }
            take(piece);
        }
    }

    private void take(ByteBuffer piece) {
        if (piece.remaining() > mostBytes - bytes.size()) {
            text.completeExceptionally(new IOException("the answer is longer than " + mostBytes + " bytes"));
            subscription.ifPresent(Flow.Subscription::cancel);
            return;
        }
        byte[] taken = new byte[piece.remaining()];
        piece.get(taken);
        bytes.writeBytes(taken);
    }

    @Override
    public void onError(Throwable failure) {
        text.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        text.complete(bytes.toString(StandardCharsets.UTF_8));
    }
}
