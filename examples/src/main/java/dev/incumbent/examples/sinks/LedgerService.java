package dev.incumbent.examples.sinks;

import com.sun.net.httpserver.HttpContext;
import dev.incumbent.Leadership;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.http.FencedRequest;
import dev.incumbent.fence.http.FencingServletFilter;
import dev.incumbent.fence.http.HttpFence;
import dev.incumbent.model.ElectionName;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** An HTTP service that lets nobody write but the leader, and a leader that writes to it. */
public final class LedgerService {
    private LedgerService() {}

    /** Fences a service's requests: one context of the JDK's server, and a servlet container's. */
    public static void fence(Sink marks, String secret, HttpContext context, ServletContext servletContext) {
        ElectionName closer = new ElectionName("billing/closer");
        HttpFence fence = HttpFence.over(marks, Duration.ofSeconds(10), secret, closer); // whose leaders may write here
        context.getFilters().add(fence.filter()); // the JDK's server
        servletContext // or a servlet container: mapped to /*
                .addFilter("fence", new FencingServletFilter(fence))
                .setAsyncSupported(true); // permits asynchronous servlets behind it
    }

    /** Writes to such a service. */
    public static HttpResponse<String> pay(ElectionName election, Leadership leadership, HttpClient client)
            throws FenceException, IOException, InterruptedException {
        FencedRequest request = new FencedRequest(HttpRequest.newBuilder(URI.create("https://ledger.example/4711"))
                .PUT(HttpRequest.BodyPublishers.ofString("paid")));
        request.admit(election, leadership.token());
        return request.send(client); // StaleTokenException: stop at once
    }
}
