package dev.incumbent.coordinator.redis;

import dev.incumbent.calls.Call;
import dev.incumbent.coordinator.CoordinatorException;
import java.util.function.Function;

/** One request on its way to a server, and what its answer means. */
final class RequestCall<T> extends Call<T> {
    private final Request request;
    private final Function<Reply, T> meaning;

    RequestCall(Request request, Function<Reply, T> meaning, long deadlineNanos) {
        super(request.writes(), deadlineNanos);
        this.request = request;
        this.meaning = meaning;
    }

    Request request() {
        return request;
    }

    /** Ends it by what the server answered. */
    void hear(Object raw) {
        answer(() -> understood(raw));
    }

    private T understood(Object raw) {
        try {
            return meaning.apply(Reply.of(raw));
        } catch (CoordinatorException told) {
            throw told;
        } catch (RuntimeException unexpected) {
            throw new CoordinatorException(
                    "an answer that cannot be understood: " + unexpected, request.writes(), unexpected);
        }
    }
}
