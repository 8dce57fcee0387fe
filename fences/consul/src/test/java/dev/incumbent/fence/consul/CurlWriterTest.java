package dev.incumbent.fence.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.ConsulServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The transaction of {@code docs/sinks/consul.md}, as it stands there, sent by a client that has nothing of ours. */
final class CurlWriterTest {
    private static final ElectionName CLOSER = new ElectionName("billing/closer");

    private final ConsulServer server = ConsulServer.start(ConsulServer.Access.OPEN);
    private final String url = "consul://127.0.0.1:" + server.port() + "/incumbent";

    @BeforeEach
    void install() {
        new ConsulSinkProvider().install(url);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void onlyTheTokenInForceWrites() throws Exception {
        assertRefused();
        raise(7);
        HttpResponse<String> written = sent();
        assertThat(written.statusCode()).as(written.body()).isEqualTo(200);
        assertThat(server.consul("kv", "get", "ledger/4711").strip()).isEqualTo("paid");
        server.consul("kv", "delete", "ledger/4711");

        raise(8);

        assertRefused();
    }

    private void assertRefused() throws Exception {
        HttpResponse<String> refused = sent();
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("key \\\"incumbent/f/billing/closer:token:7\\\" doesn't exist");
        assertThat(server.consul("kv", "get", "-keys", "ledger/").strip()).isEmpty();
    }

    private HttpResponse<String> sent() throws Exception {
        Matcher block = Pattern.compile("/v1/txn -d '(.*?)'\n```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "..", "docs", "sinks", "consul.md")));
        assertThat(block.find()).isTrue();
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/v1/txn"))
                                .PUT(HttpRequest.BodyPublishers.ofString(block.group(1)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private void raise(long token) throws Exception {
        try (Sink sink = new ConsulSinkProvider().open(url, Duration.ofSeconds(10))) {
            sink.raise(CLOSER, new Mark(new FencingToken(token), MarkOwner.ofOperator("me")))
                    .toCompletableFuture()
                    .get();
        }
    }
}
