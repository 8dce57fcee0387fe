package dev.incumbent.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Components;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

/** A stream whose request has ended already, because its reader went: Jetty lets nobody ask that request any more. */
class EndedStreamTest {
    private final Queue<Runnable> work = new ArrayDeque<>();
    private final Executor server = work::add;
    private boolean hasEnded;

    @Test
    void whoeverSendsOrEndsItNoticesNothing() {
        EventStream stream = new EventStream(request(), as(Response.class, Map.of()), Callback.NOOP, () -> {});
        hasEnded = true;

        stream.send("event: leader\n\n");
        stream.end();

        assertThat(work).as("is left to a thread of the server").hasSize(2);
    }

    private Request request() {
        Connection connection = as(Connection.class, Map.of("getEndPoint", new ByteArrayEndPoint()));
        ConnectionMetaData wire = as(ConnectionMetaData.class, Map.of("getConnection", connection));
        Components components = as(Components.class, Map.of("getExecutor", server));
        return as(Request.class, Map.of("getConnectionMetaData", wire, "getComponents", components));
    }

    private <T> T as(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (hasEnded) {
                        throw new IllegalStateException("channel already completed");
                    }
                    return Objects.requireNonNull(answers.get(method.getName()), method.getName());
                }));
    }
}
