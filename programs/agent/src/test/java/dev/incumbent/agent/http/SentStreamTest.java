package dev.incumbent.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.elections.Bounds;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
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

/** What a stream writes, in which order, and what it keeps for a reader that takes nothing. The server's threads and the reader are played by the test. */
class SentStreamTest {
    private final Queue<Runnable> work = new ArrayDeque<>();
    private final Executor server = work::add;
    private final List<String> written = new ArrayList<>();
    private final Queue<Callback> underWay = new ArrayDeque<>();
    private final List<String> ends = new ArrayList<>();
    private final ByteArrayEndPoint connection = new ByteArrayEndPoint();
    private final EventStream stream = new EventStream(
            request(),
            response(),
            Callback.from(() -> ends.add("whole"), failure -> ends.add("failed")),
            () -> ends.add("ended"));

    @Test
    void whatIsSentIsWrittenInOrderAndThenTheEnd() {
        stream.send("a");
        stream.send("b");
        stream.end();
        serve();
        assertThat(written).as("one at a time").containsExactly("a");
        takeAll();

        assertThat(written).containsExactly("a", "b", "(last)");
        assertThat(ends).containsExactly("ended", "whole");
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void afterTheEndNothingIsSent() {
        stream.send("a");
        stream.end();
        stream.send("b");
        takeAll();

        assertThat(written).containsExactly("a", "(last)");
    }

    @Test
    void asMuchAsTheBoundWaitsAndWhoeverTakesNoMoreIsCutOff() {
        String quarter = "x".repeat(Bounds.STREAM_BYTES / 4);
        stream.send("first");
        serve();
        for (int i = 0; i < 4; i++) {
            stream.send(quarter);
        }
        assertThat(connection.isOpen()).isTrue();

        stream.send("y");
        assertThat(connection.isOpen()).as("one byte more").isFalse();
        stream.send("z");
        takeAll();

        assertThat(written).as("what waited is forgotten").containsExactly("first", "(last)");
    }

    @Test
    void whatWasTakenWaitsNoMore() {
        String half = "x".repeat(Bounds.STREAM_BYTES / 2);
        for (int i = 0; i < 5; i++) {
            stream.send(half);
            takeAll();
        }

        assertThat(connection.isOpen()).isTrue();
        assertThat(written).hasSize(5);
    }

    @Test
    void aReaderThatIsGoneEndsTheStream() {
        stream.send("a");
        stream.send("b");
        serve();
        underWay.remove().failed(new IOException("reset"));
        stream.send("c");
        takeAll();

        assertThat(written).containsExactly("a");
        assertThat(ends).containsExactly("ended", "failed");
    }

    private void serve() {
        while (!work.isEmpty()) {
            work.remove().run();
        }
    }

    /** The reader takes what is written, until nothing more is. */
    private void takeAll() {
        serve();
        while (!underWay.isEmpty()) {
            underWay.remove().succeeded();
            serve();
        }
    }

    private Response response() {
        return (Response) Proxy.newProxyInstance(
                Response.class.getClassLoader(), new Class<?>[] {Response.class}, (self, method, arguments) -> {
                    boolean isLast = (boolean) arguments[0];
                    String text = StandardCharsets.UTF_8
                            .decode((ByteBuffer) arguments[1])
                            .toString();
                    written.add(text + (isLast ? "(last)" : ""));
                    underWay.add((Callback) arguments[2]);
                    return null;
                });
    }

    private Request request() {
        Connection http = as(Connection.class, Map.of("getEndPoint", connection));
        ConnectionMetaData wire = as(ConnectionMetaData.class, Map.of("getConnection", http));
        Components components = as(Components.class, Map.of("getExecutor", server));
        return as(Request.class, Map.of("getConnectionMetaData", wire, "getComponents", components));
    }

    private static <T> T as(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> Objects.requireNonNull(answers.get(method.getName()), method.getName())));
    }
}
