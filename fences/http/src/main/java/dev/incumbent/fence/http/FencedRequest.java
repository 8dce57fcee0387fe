package dev.incumbent.fence.http;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;

/**
 * One request to a fenced service: admitted to one term, then sent once. Used by one thread.
 *
 * <p>The service admits it as it handles it, so {@link #admit} only writes the header. Whoever uses another client does the same: {@code Fencing-Token: ELECTION=TOKEN}.
 */
public final class FencedRequest implements Fence {
    private final HttpRequest.Builder request;
    private Optional<Bearing> bearing = Optional.empty();
    private boolean sent;

    /** A request that is complete but for its token. */
    public FencedRequest(HttpRequest.Builder request) {
        this.request = request;
    }

    @Override
    public void admit(ElectionName election, FencingToken token) throws NoTransactionException {
        if (sent) {
            throw new NoTransactionException("this request was sent already, so nothing is admitted into it");
        }
        bearing = Optional.of(new Bearing(election, token));
        request.setHeader(Bearing.HEADER, bearing.get().toString());
    }

    /**
     * Sends it and waits for the answer, as that client does.
     *
     * @throws NotAdmittedException the service could not say: it was not handled, send another
     * @throws IOException there was no answer: it may have been handled
     */
    public HttpResponse<String> send(HttpClient client)
            throws IOException, InterruptedException, StaleTokenException, NotRaisedException, NoTransactionException,
                    NotAdmittedException {
        if (sent || bearing.isEmpty()) {
            throw new NoTransactionException(sent ? "this request was sent already" : "this request bears no token");
        }
        sent = true;
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        String text = answer.body().strip();
        if (answer.headers().firstValue(Reply.HEADER).isEmpty()) {
            return answer;
        }
        switch (answer.statusCode()) {
            case Reply.CONFLICT ->
                throw new StaleTokenException(
                        bearing.get().election(), bearing.get().token(), text);
            case Reply.PRECONDITION_REQUIRED ->
                throw new NotRaisedException(
                        bearing.get().election(), bearing.get().token(), text);
            default -> throw new NotAdmittedException(text);
        }
    }
}
