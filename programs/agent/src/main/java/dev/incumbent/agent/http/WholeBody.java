package dev.incumbent.agent.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Hands a request on once its body has come. No thread waits for that, so that those who send slowly, or stand still within a body, take none from others. */
final class WholeBody extends Handler.Wrapper {
    private static final String BYTES = WholeBody.class.getName();
    private static final int MOST_BYTES = 16 * 1024;

    WholeBody(Handler next) {
        super(next);
    }

    /** The body of a request that was handed on. */
    static byte[] of(Request request) {
        return request.getAttribute(BYTES) instanceof byte[] bytes ? bytes : new byte[0];
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        new Coming(request, response, callback).run();
        return true;
    }

    /** One request whose body comes. Jetty runs it whenever there is more. */
    private final class Coming implements Runnable {
        private final Request request;
        private final Response response;
        private final Callback callback;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Coming(Request request, Response response, Callback callback) {
            this.request = request;
            this.response = response;
            this.callback = callback;
        }

        @Override
        public void run() {
            Content.Chunk chunk = request.read();
            while (chunk != null) {
                if (Content.Chunk.isFailure(chunk)) {
                    refuse(Problem.unclear("the body of the request ended early"));
                    return;
                }
                add(chunk);
                if (bytes.size() > MOST_BYTES) {
                    refuse(new Problem(413, "the body of a request has at most " + MOST_BYTES + " bytes"));
                    return;
                }
                if (chunk.isLast()) {
                    handOn();
                    return;
                }
                chunk = request.read();
            }
            request.demand(this);
        }

        private void add(Content.Chunk chunk) {
            ByteBuffer some = chunk.getByteBuffer();
            byte[] copy = new byte[some.remaining()];
            some.get(copy);
            bytes.writeBytes(copy);
            chunk.release();
        }

        private void refuse(Problem problem) {
            new Exchange(request, response, callback).problem(problem);
        }

        private void handOn() {
            request.setAttribute(BYTES, bytes.toByteArray());
            try {
                if (!getHandler().handle(request, response, callback)) {
                    Response.writeError(request, response, callback, 404);
                }
            } catch (Exception failed) {
                callback.failed(failed);
            }
        }
    }
}
