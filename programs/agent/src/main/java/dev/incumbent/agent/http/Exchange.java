package dev.incumbent.agent.http;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.telling.Outcome;
import dev.incumbent.wire.Json;
import dev.incumbent.wire.JsonException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** One request and its one answer. Only the first answer is sent. The answer may be given on any thread; it does not block. */
final class Exchange {
    static final String PROBLEM = "application/problem+json";
    private static final String JSON = "application/json";
    private static final String NO_STORE = "no-store";
    private static final Set<String> KNOWN_TYPES = Set.of(EventStream.TYPE, JSON, "application/*", "*/*");
    private static final int DEEPEST = 4;

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final AtomicBoolean answered = new AtomicBoolean();

    Exchange(Request request, Response response, Callback callback) {
        this.request = request;
        this.response = response;
        this.callback = callback;
    }

    Request request() {
        return request;
    }

    /** Does the asker prefer a stream of events to JSON? The header Accept tells, with its weights; of equal ones the first. */
    boolean prefersEvents() {
        return request.getHeaders().getQualityCSV(HttpHeader.ACCEPT).stream()
                .map(type -> type.replaceAll(";.*", "").strip().toLowerCase(Locale.ROOT))
                .filter(KNOWN_TYPES::contains)
                .findFirst()
                .filter(EventStream.TYPE::equals)
                .isPresent();
    }

    /** The body as an object with no fields but these; an empty body is an empty object. */
    Json body(List<String> known) {
        String text = new String(WholeBody.of(request), StandardCharsets.UTF_8);
        try {
            return object(text.isBlank() ? "{}" : text, known);
        } catch (JsonException e) {
            throw Problem.unclear("the body is no JSON: " + e.getMessage());
        }
    }

    private static Json object(String text, List<String> known) throws JsonException {
        Json body = Json.read(text, DEEPEST);
        if (body.kind() != Json.Kind.OBJECT) {
            throw Problem.unclear("the body is no JSON object");
        }
        for (String name : body.names()) {
            if (!known.contains(name)) {
                throw Problem.unclear("the body has the unknown field '" + name + "'; known are " + known);
            }
        }
        return body;
    }

    void problem(Problem problem) {
        send(problem.status(), PROBLEM, problem.json());
    }

    /** How an operator's request ended: 200 with the result if it was done, else a problem that holds the result. */
    void outcome(Outcome ended) {
        int status = switch (ended.kind()) {
            case DONE -> 200;
            case REFUSED -> 412;
            case LATE -> 504;
            case NOT_SO, AMBIGUOUS, SINKS_OPEN -> 409;
        };
        if (status == 200) {
            answer(status, ended.json().toString());
        } else {
            String sentence = String.join("; ", ended.said());
            send(status, PROBLEM, Problem.json(status, sentence, Optional.of(ended.json())));
        }
    }

    /** Answers by what a stage brings, on a thread of the server; if it fails, why the coordinator did not answer. */
    <T> void whenKnown(CompletionStage<T> stage, Consumer<T> then) {
        stage.whenCompleteAsync(
                (value, failure) -> {
                    try {
                        if (failure != null) {
                            throw unanswered(failure);
                        }
                        then.accept(value);
                    } catch (Problem problem) {
                        problem(problem);
                    } catch (RuntimeException bug) {
                        problem(new Problem(500, "the agent failed: " + bug));
                    }
                },
                request.getComponents().getExecutor());
    }

    private static Problem unanswered(Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        if (!(cause instanceof CoordinatorException e)) {
            return new Problem(500, "the agent failed: " + cause);
        }
        String applied = e.mayHaveApplied() ? "; what was asked may have been done" : "";
        return new Problem(503, "the coordinator did not answer: " + e.getMessage() + applied);
    }

    /** The answer may take longer than a connection may be silent. */
    void mayBeSilent() {
        request.addIdleTimeoutListener(timeout -> false);
    }

    void answer(int status, String json) {
        send(status, JSON, json);
    }

    /** An answer that is no JSON. */
    void answer(String type, String text) {
        send(200, type, text.stripTrailing());
    }

    /** A file of the agent's own, with what its headers tell a browser beside the type. */
    void file(String type, String text, Map<String, String> headers) {
        headers.forEach(response.getHeaders()::put);
        send(200, type, text.stripTrailing());
    }

    /**
     * Begins an answer that goes on. It is the last one on its connection.
     *
     * @param ended runs once it does not go on any more
     */
    EventStream stream(Runnable ended) {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("this request is answered already");
        }
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, EventStream.TYPE);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, NO_STORE);
        return new EventStream(request, response, callback, ended);
    }

    private void send(int status, String type, String text) {
        if (!answered.compareAndSet(false, true)) {
            return;
        }
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, NO_STORE);
        if (status == 401) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        }
        response.write(true, ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)), callback);
    }
}
