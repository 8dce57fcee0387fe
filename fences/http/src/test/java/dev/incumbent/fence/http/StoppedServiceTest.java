package dev.incumbent.fence.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service that is being stopped interrupts the threads of its requests: whoever waits at the fence then is told so, and is not handled. */
@Timeout(60)
final class StoppedServiceTest {
    private static final ElectionName BILLING = new ElectionName("billing");

    /** It never answers, and interrupts whoever asks it. */
    private final Sink marks = (Sink) Proxy.newProxyInstance(
            Sink.class.getClassLoader(), new Class<?>[] {Sink.class}, (proxy, method, arguments) -> {
                Thread.currentThread().interrupt();
                return new CompletableFuture<>();
            });

    private final HttpFence fence = HttpFence.over(marks, Duration.ofSeconds(30), "s3cret", BILLING);
    private final Ledger ledger = new Ledger();

    @Test
    void onTheServerOfTheJdkWhoWaitsIsToldToTryAgain() throws Exception {
        assertToldToTryAgain(JdkService::new);
    }

    @Test
    void onTomcatWhoWaitsIsToldToTryAgain() throws Exception {
        assertToldToTryAgain(TomcatService::new);
    }

    private void assertToldToTryAgain(Service.Starter starter) throws Exception {
        try (Service service = starter.start(fence, ledger)) {
            String url = "http://127.0.0.1:" + service.port();
            assertStopping(HttpRequest.newBuilder(URI.create(url + "/ledger"))
                    .header("Fencing-Token", "billing=7")
                    .POST(HttpRequest.BodyPublishers.ofString("paid\ncommit\n"))
                    .build());
            assertStopping(HttpRequest.newBuilder(URI.create(url + "/incumbent/fence/billing"))
                    .header("Authorization", "Bearer s3cret")
                    .PUT(HttpRequest.BodyPublishers.ofString("8 operator:me"))
                    .build());
        }
        assertThat(ledger.lines()).isEmpty();
    }

    private static void assertStopping(HttpRequest request) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Fencing-Refused")).contains("503");
        assertThat(answer.body()).isEqualTo("this service is being stopped\n");
    }
}
