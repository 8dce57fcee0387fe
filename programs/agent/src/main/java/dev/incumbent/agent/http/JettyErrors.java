package dev.incumbent.agent.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** What Jetty refuses by itself, as a problem like all others. Repeats nothing of the request. */
final class JettyErrors extends ErrorHandler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Exchange.PROBLEM);
        response.write(true, bytes(status), callback);
        return true;
    }

    private static ByteBuffer bytes(int status) {
        String sentence = "this request cannot be answered: " + HttpStatus.getMessage(status);
        return ByteBuffer.wrap(Problem.json(status, sentence).getBytes(StandardCharsets.UTF_8));
    }
}
