package dev.incumbent.servers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What stands before a DynamoDB that looks at the time of requests, as AWS does and the emulator does not. Its clock stands still at an instant, and a request that is
 * more than five minutes off is refused in AWS's words. Serves one request a connection.
 */
public final class SkewedClockProxy implements AutoCloseable {
    private static final Duration MOST = Duration.ofMinutes(5);
    private static final DateTimeFormatter SIGNED =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final int target;
    private final Instant clock;
    private final boolean tellsItsDate;
    private final ServerSocket listening;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger refused = new AtomicInteger();

    private SkewedClockProxy(int target, Instant clock, boolean tellsItsDate) {
        this.target = target;
        this.clock = clock;
        this.tellsItsDate = tellsItsDate;
        try {
            this.listening = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    /** Stands before the server at that port of loopback. */
    public static SkewedClockProxy before(int target, Instant clock) {
        return new SkewedClockProxy(target, clock, true);
    }

    /** The same, and its refusals tell no date. */
    public static SkewedClockProxy beforeWithoutDates(int target, Instant clock) {
        return new SkewedClockProxy(target, clock, false);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** How many requests it refused for their time. */
    public int refused() {
        return refused.get();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                threads.execute(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket accepted) {
        try (Socket client = accepted) {
            InputStream in = client.getInputStream();
            String head = head(in);
            byte[] body = in.readNBytes(Integer.parseInt(header(head, "Content-Length")));
            Instant signed =
                    ZonedDateTime.parse(header(head, "X-Amz-Date"), SIGNED).toInstant();
            if (Duration.between(signed, clock).abs().compareTo(MOST) > 0) {
                refused.incrementAndGet();
                client.getOutputStream().write(refusal(signed).getBytes(StandardCharsets.US_ASCII));
            } else {
                pass(head, body, client.getOutputStream());
            }
        } catch (IOException gone) {
            // The client sees it, too.
        }
    }

    private String refusal(Instant signed) {
        boolean isOld = signed.isBefore(clock);
        String said = isOld
                ? "Signature expired: " + SIGNED.format(signed) + " is now earlier than "
                        + SIGNED.format(clock.minus(MOST)) + " (" + SIGNED.format(clock) + " - 5 min.)"
                : "Signature not yet current: " + SIGNED.format(signed) + " is still later than "
                        + SIGNED.format(clock.plus(MOST)) + " (" + SIGNED.format(clock) + " + 5 min.)";
        String body =
                "{\"__type\":\"com.amazon.coral.service#InvalidSignatureException\",\"message\":\"" + said + "\"}";
        String date = tellsItsDate
                ? "Date: " + DateTimeFormatter.RFC_1123_DATE_TIME.format(clock.atZone(ZoneOffset.UTC)) + "\r\n"
                : "";
        return "HTTP/1.1 400 Bad Request\r\n" + date
                + "Content-Type: application/x-amz-json-1.0\r\nConnection: close\r\nContent-Length: "
                + body.length() + "\r\n\r\n" + body;
    }

    private void pass(String head, byte[] body, OutputStream answer) throws IOException {
        try (Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            String once =
                    head.replaceAll("(?im)^Connection:.*\r\n", "").replaceFirst("\r\n", "\r\nConnection: close\r\n");
            server.getOutputStream().write(once.getBytes(StandardCharsets.ISO_8859_1));
            server.getOutputStream().write(body);
            long unused = server.getInputStream().transferTo(answer);
        }
    }

    /** With the empty line at its end. */
    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the request ended in its head");
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private static String header(String head, String name) throws IOException {
        return head.lines()
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElseThrow(() -> new IOException("the request has no " + name));
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
