package dev.incumbent.agent.http;

import dev.incumbent.agent.elections.Bounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;

/**
 * An answer that goes on, to one reader. What is sent waits in order until the reader takes it, up to {@link Bounds#STREAM_BYTES}; a reader for which more would wait is closed. Ends also once
 * the reader closes its connection, or its side of it, or says something. Thread-safe; no call blocks.
 */
final class EventStream extends IteratingCallback {
    static final String TYPE = "text/event-stream";

    /** Asked for at the beginning: a request that has ended does not tell it any more. */
    private final Executor server;

    private final Response response;
    private final Callback callback;
    private final Runnable ended;
    private final EndPoint end;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private boolean isOver;
    // Touched by one step of the iteration at a time.
    private boolean isLastSent;

    /**
     * Sends nothing yet.
     *
     * @param ended runs once the reader is gone, or nothing more is sent; perhaps twice
     */
    EventStream(Request request, Response response, Callback callback, Runnable ended) {
        this.server = request.getComponents().getExecutor();
        this.response = response;
        this.callback = callback;
        this.ended = ended;
        this.end = request.getConnectionMetaData().getConnection().getEndPoint();
    }

    /** Sends the first text, so that its reader knows that it stands, and looks whether the reader goes. */
    void begin(String first) {
        send(first);
        awaitReader();
    }

    /** Sends that after what was sent before. */
    void send(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        boolean isSlow;
        lock.lock();
        try {
            if (isOver) {
                return;
            }
            isSlow = waitingBytes + bytes.length > Bounds.STREAM_BYTES;
            if (!isSlow) {
                waiting.add(bytes);
                waitingBytes += bytes.length;
            }
        } finally {
            lock.unlock();
        }
        if (isSlow) {
            giveUp();
        }
        goOn();
    }

    /** What waits is forgotten, and the connection cut: the reader sees that it is not the end. */
    private void giveUp() {
        over(true);
        end.close(new IOException("the reader of a stream of events reads too slowly"));
    }

    /** Sends nothing more after what waits. */
    void end() {
        over(false);
        goOn();
    }

    private void over(boolean forgets) {
        lock.lock();
        try {
            isOver = true;
            if (forgets) {
                waiting.clear();
                waitingBytes = 0;
            }
        } finally {
            lock.unlock();
        }
    }

    private void goOn() {
        later(this::iterate);
    }

    /** On a thread of the server: whoever sends has other things to do. */
    void later(Runnable work) {
        try {
            server.execute(work);
        } catch (RejectedExecutionException stopped) {
            // The server has ended all connections.
        }
    }

    @Override
    protected Action process() {
        byte[] next;
        boolean isLast;
        lock.lock();
        try {
            next = waiting.poll();
            waitingBytes -= next == null ? 0 : next.length;
            isLast = next == null && isOver;
        } finally {
            lock.unlock();
        }
        if (next != null) {
            response.write(false, ByteBuffer.wrap(next), this);
            return Action.SCHEDULED;
        }
        if (!isLast) {
            return Action.IDLE;
        }
        if (isLastSent) {
            return Action.SUCCEEDED;
        }
        isLastSent = true;
        response.write(true, BufferUtil.EMPTY_BUFFER, this);
        return Action.SCHEDULED;
    }

    @Override
    protected void onCompleteSuccess() {
        ended.run();
        callback.succeeded();
        end.close();
    }

    @Override
    protected void onCompleteFailure(Throwable cause) {
        over(true);
        ended.run();
        callback.failed(cause);
    }

    /** Where nothing can be heard of the reader, the next text that it does not take tells that it is gone. */
    private void awaitReader() {
        boolean unused = end.tryFillInterested(Callback.from(this::heardReader, failure -> end()));
    }

    private void heardReader() {
        try {
            if (end.fill(BufferUtil.allocate(1)) == 0) {
                awaitReader();
            } else {
                end();
            }
        } catch (IOException gone) {
            end();
        }
    }
}
