package dev.incumbent.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.EtcdServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The writer of {@code docs/sinks/etcd.md}, as it stands there, run by a shell. */
class EtcdctlWriterTest {
    private static final ElectionName CLOSER = new ElectionName("billing/closer");

    private final EtcdServer server = EtcdServer.start();

    @BeforeEach
    void raise() throws Exception {
        new EtcdSinkProvider().install(server.uri("app"));
        try (Sink sink = new EtcdSinkProvider().open(server.uri("app"), Duration.ofSeconds(10))) {
            sink.raise(CLOSER, new Mark(new FencingToken(7), MarkOwner.ofOperator("me")))
                    .toCompletableFuture()
                    .get();
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void whoBearsTheTokenInForceWrites() throws Exception {
        assertThat(ran(7)).startsWith("SUCCESS\n");
        assertThat(server.etcdctl("get", "/ledger/4711", "--print-value-only").strip())
                .isEqualTo("paid");
    }

    @Test
    void anyOtherTokenIsToldTheMarkInForceAndWritesNothing() throws Exception {
        for (long token : new long[] {6, 8}) {
            assertThat(ran(token)).startsWith("FAILURE\n").contains("/app/f/billing/closer\n0000000000000000007\n");
        }
        assertThat(server.etcdctl("get", "/ledger/4711")).isEmpty();
    }

    /** What it printed; it leaves with 0 either way. */
    private String ran(long token) throws Exception {
        Matcher block = Pattern.compile("```sh\n(etcdctl txn.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "..", "docs", "sinks", "etcd.md")));
        assertThat(block.find()).isTrue();
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", block.group(1)).redirectErrorStream(true);
        shell.environment().put("ETCDCTL_API", "3");
        shell.environment().put("ETCDCTL_ENDPOINTS", server.clientUrl());
        shell.environment().put("INCUMBENT_TOKEN", Long.toString(token));
        Process process = shell.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed.replaceFirst("^\\s*", "");
    }
}
