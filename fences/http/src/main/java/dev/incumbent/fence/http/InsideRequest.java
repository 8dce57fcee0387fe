package dev.incumbent.fence.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * A request that was let in. It leaves when the filters and servlets behind the fence have returned, or when the asynchronous work that they have begun is complete.
 *
 * <p>The listener is added before the servlet has the {@link AsyncContext}: afterwards the work may be dispatched already, and a dispatched request says of itself that it
 * is not asynchronous.
 */
final class InsideRequest extends HttpServletRequestWrapper implements AsyncListener {
    private final HttpServletRequest request;
    private final String attribute;
    private final HttpFence.Passage passage;
    private volatile boolean asynchronous;

    InsideRequest(HttpServletRequest request, HttpFence fence, HttpFence.Passage passage) {
        super(request);
        this.request = request;
        this.attribute = fence.name();
        this.passage = passage;
        request.setAttribute(attribute, passage);
    }

    /** Was it let in by that fence, and has not left? A forward, an asynchronous dispatch or an error page comes by again. */
    static boolean isOf(HttpFence fence, HttpServletRequest request) {
        return request.getAttribute(fence.name()) instanceof HttpFence.Passage;
    }

    @Override
    public AsyncContext startAsync() {
        return followed(super.startAsync());
    }

    @Override
    public AsyncContext startAsync(ServletRequest given, ServletResponse response) {
        return followed(super.startAsync(given, response));
    }

    private AsyncContext followed(AsyncContext work) {
        work.addListener(this);
        asynchronous = true;
        return work;
    }

    /** A servlet may have unwrapped this request to begin its work. */
    void leaveUnlessAsynchronous() {
        if (!asynchronous && request.isAsyncStarted()) {
            AsyncContext unused = followed(request.getAsyncContext());
        }
        if (!asynchronous) {
            leave();
        }
    }

    void leave() {
        request.removeAttribute(attribute);
        passage.close();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        passage.close();
    }

    /** Work that is begun again, by the servlet that it was dispatched to, has lost its listeners. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }

    /** Ends in {@link #onComplete}. */
    @Override
    public void onTimeout(AsyncEvent event) {}

    /** Ends in {@link #onComplete}. */
    @Override
    public void onError(AsyncEvent event) {}
}
