package dev.incumbent.health;

import dev.incumbent.wire.EveryAddressClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;

/**
 * Does an address answer {@code GET} with 2xx? Of a host name with several addresses, the first one that takes the connection is asked. The head of the answer decides; the body is not read. No redirect is followed: 3xx is a bad answer. Certificates are checked as
 * the JVM does.
 */
public final class HttpProbe implements HealthCheck {
    private static final int FAMILY = 100;
    private static final int SUCCESS = 2;

    private final HttpClient client = new EveryAddressClient(
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build(),
            HttpProbe::daemon);
    private final URI uri;

    private HttpProbe(URI uri) {
        this.uri = uri;
    }

    /** Refuses what is no address of HTTP or HTTPS, and one that bears a password. */
    public static HttpProbe of(URI uri) {
        String scheme = Optional.ofNullable(uri.getScheme()).orElse("");
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("an HTTP probe has an address such as http://127.0.0.1:8080/health");
        }
        if (uri.getHost() == null || uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException("an HTTP probe names a host, and bears no user and no password");
        }
        return new HttpProbe(uri);
    }

    /** Without the query, which may bear a secret. */
    @Override
    public String name() {
        return uri.getScheme() + "://" + uri.getRawAuthority() + uri.getRawPath();
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body, "incumbent-health-http");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public Answer ask(long nanos) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri).GET().build();
        try {
            HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            response.body().close();
            String answers = "answers " + response.statusCode();
            return response.statusCode() / FAMILY == SUCCESS ? Answer.well(answers) : Answer.sick(answers);
        } catch (IOException unanswered) {
            return Answer.sick("does not answer: " + why(unanswered));
        }
    }

    /** A refused connection has no message here. */
    private static String why(IOException failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
