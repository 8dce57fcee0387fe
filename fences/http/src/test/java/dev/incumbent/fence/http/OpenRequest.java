package dev.incumbent.fence.http;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One request over a socket of its own, whose body is sent piece by piece, so that it is inside for as long as the test wants. */
final class OpenRequest implements Writer {
    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket;
    private final BufferedReader answer;
    private boolean isSent;

    OpenRequest(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void read() {
        // This sink has no snapshots.
    }

    @Override
    public void admit(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NoTransactionException, NotAdmittedException {
        if (isSent) {
            throw new NoTransactionException("a request bears its token once, in its head");
        }
        String refusal = ask(election + "=" + token);
        if (refusal.contains(" 409 ")) {
            throw new StaleTokenException(election, token, refusal);
        }
        if (refusal.contains(" 428 ")) {
            throw new NotRaisedException(election, token, refusal);
        }
        if (!refusal.isEmpty()) {
            throw new NotAdmittedException(refusal);
        }
    }

    @Override
    public void admitText(ElectionName election, String token) throws FenceException {
        String refusal = ask(election + "=" + token);
        if (!refusal.isEmpty()) {
            throw new NotAdmittedException(refusal);
        }
    }

    /** The status line of a refusal; empty once the service has said that it is admitted. */
    private String ask(String bearing) throws NotAdmittedException {
        isSent = true;
        try {
            send("POST /ledger HTTP/1.1\r\nHost: localhost\r\nFencing-Token: " + bearing
                    + "\r\nTransfer-Encoding: chunked\r\n\r\n");
            chunk("");
            String status = String.valueOf(answer.readLine());
            if (!status.contains(" 200 ")) {
                return status;
            }
            awaitLine("admitted");
            return "";
        } catch (IOException e) {
            throw new NotAdmittedException(e.toString(), e);
        }
    }

    @Override
    public void write(String line) throws IOException {
        chunk(line + "\n");
    }

    @Override
    public void commit() throws IOException {
        chunk("commit\n");
        send("0\r\n\r\n");
        awaitLine("done");
        socket.close();
    }

    @Override
    public void rollBack() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void chunk(String text) throws IOException {
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        if (length > 0) {
            send(Integer.toHexString(length).toLowerCase(Locale.ROOT) + "\r\n" + text + "\r\n");
        }
    }

    private void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
    }

    private void awaitLine(String wanted) throws IOException {
        for (String line = answer.readLine(); !wanted.equals(line); line = answer.readLine()) {
            if (line == null) {
                throw new IOException("the service closed the connection before it said " + wanted);
            }
        }
    }
}
