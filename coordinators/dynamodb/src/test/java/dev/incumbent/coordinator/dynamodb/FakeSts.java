package dev.incumbent.coordinator.dynamodb;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on loopback that answers AssumeRoleWithWebIdentity as AWS's STS does, with other credentials each time: {@code KEY1}, {@code KEY2}, and so on. */
final class FakeSts implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger count = new AtomicInteger();
    private final Semaphore hanging = new Semaphore(0);
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile Duration life = Duration.ofHours(1);
    private volatile String lastToken = "";

    FakeSts() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** How long credentials are valid from now on. The SDK asks anew from a minute before their end, so that it asks each time where this is less. */
    void setLife(Duration length) {
        life = length;
    }

    /** The web identity's token that was shown last. */
    String lastToken() {
        return lastToken;
    }

    /** Answers nobody, until it is let go. */
    void hang() {
        hanging.drainPermits();
        gate = new CountDownLatch(1);
    }

    /** Waits until somebody hangs. */
    void awaitSomebodyHanging() throws InterruptedException {
        hanging.acquire();
    }

    void letGo() {
        gate.countDown();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        CountDownLatch closed = gate;
        if (closed.getCount() > 0) {
            hanging.release();
        }
        try {
            closed.await();
        } catch (InterruptedException ended) {
            exchange.close();
            return;
        }
        lastToken = asked.replaceFirst("(?s).*WebIdentityToken=([^&]*).*", "$1");
        byte[] xml =
                credentials(asked.contains("Action=AssumeRoleWithWebIdentity")).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "text/xml");
        exchange.sendResponseHeaders(200, xml.length);
        exchange.getResponseBody().write(xml);
        exchange.close();
    }

    private String credentials(boolean isUnderstood) {
        if (!isUnderstood) {
            return "<ErrorResponse/>";
        }
        int n = count.incrementAndGet();
        return """
                <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
                  <AssumeRoleWithWebIdentityResult>
                    <SubjectFromWebIdentityToken>system:serviceaccount:billing:closer</SubjectFromWebIdentityToken>
                    <Audience>sts.amazonaws.com</Audience>
                    <AssumedRoleUser>
                      <Arn>arn:aws:sts::123456789012:assumed-role/closer/session</Arn>
                      <AssumedRoleId>AROA:session</AssumedRoleId>
                    </AssumedRoleUser>
                    <Credentials>
                      <AccessKeyId>KEY%d</AccessKeyId>
                      <SecretAccessKey>secret%d</SecretAccessKey>
                      <SessionToken>session%d</SessionToken>
                      <Expiration>%s</Expiration>
                    </Credentials>
                  </AssumeRoleWithWebIdentityResult>
                  <ResponseMetadata><RequestId>%d</RequestId></ResponseMetadata>
                </AssumeRoleWithWebIdentityResponse>
                """.formatted(n, n, n, Instant.now().plus(life), n);
    }

    @Override
    public void close() {
        letGo();
        server.stop(0);
        threads.shutdownNow();
    }
}
