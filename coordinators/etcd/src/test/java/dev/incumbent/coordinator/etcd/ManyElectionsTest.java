package dev.incumbent.coordinator.etcd;

import dev.incumbent.adverse.ManyOffices;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.servers.EtcdServer;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Alone in its JVM while it runs, for it counts threads. */
@Tag("realtime")
@Isolated
class ManyElectionsTest {
    private static final Pattern KEEP_ALIVES =
            Pattern.compile("(?m)^grpc_server_msg_received_total\\{grpc_method=\"LeaseKeepAlive\".*} ([0-9.e+]+)$");

    @Test
    void fiveHundredElectionsAreKeptByOneKeepAliveAndFewThreads() {
        ManyOffices offices = new ManyOffices(500, Duration.ofSeconds(6));
        try (EtcdServer server = EtcdServer.start();
                SystemTimeline timeline = new SystemTimeline();
                Coordinator coordinator = new EtcdCoordinatorProvider()
                        .open(server.uri("many"), timeline, offices.requestTimeout(), Mode.CREATE)) {
            offices.areKeptByOneKeepAlive(coordinator, timeline, () -> keepAlives(server));
        }
    }

    /** Messages that etcd's gRPC server received, by its metrics. */
    private static long keepAlives(EtcdServer server) {
        try {
            URI metrics = URI.create(server.clientUrl() + "/metrics");
            String text = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
                    .body();
            Matcher found = KEEP_ALIVES.matcher(text);
            return found.find() ? (long) Double.parseDouble(found.group(1)) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
