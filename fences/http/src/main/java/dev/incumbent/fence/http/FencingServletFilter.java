package dev.incumbent.fence.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The fence as a servlet filter. Map it in front of all that changes something, and of {@code /incumbent/fence}.
 *
 * <p>A request has been handled when its servlet has returned, or, where that has begun asynchronous work ({@code startAsync}), when that work is complete: by {@code
 * complete}, by a dispatch whose servlet returns, by an error, or by its time limit. A container permits that work only if the filter was registered with {@code
 * setAsyncSupported(true)}. A dispatch of a request that is inside is not asked for its token again.
 */
public final class FencingServletFilter implements Filter {
    private final HttpFence fence;

    public FencingServletFilter(HttpFence fence) {
        this.fence = fence;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest http) || !(response instanceof HttpServletResponse answer)) {
            throw new ServletException("this filter fences HTTP alone");
        }
        String path = path(http);
        try {
            if (HttpFence.isOfTheFence(path)) {
                answer(answer, administered(http, path));
            } else if (HttpFence.isSafe(http.getMethod()) || InsideRequest.isOf(fence, http)) {
                chain.doFilter(request, response);
            } else {
                fenced(http, answer, chain);
            }
        } catch (InterruptedException stopping) {
            try {
                answer(answer, Reply.STOPPING);
                answer.flushBuffer();
            } finally {
                Thread.currentThread()
                        .interrupt(); // not before: an interrupted thread closes the connection that it writes to
            }
        }
    }

    /** Without escapes and parameters, as the container has decoded it. */
    private static String path(HttpServletRequest request) {
        return request.getServletPath()
                + Optional.ofNullable(request.getPathInfo()).orElse("");
    }

    private void fenced(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException, InterruptedException {
        List<String> headers = Collections.list(request.getHeaders(Bearing.HEADER));
        HttpFence.Passage passage = fence.enter(headers);
        if (passage.refusal().isPresent()) {
            answer(response, passage.refusal().get());
            return;
        }
        InsideRequest inside = new InsideRequest(request, fence, passage);
        try {
            chain.doFilter(inside, response);
        } catch (Throwable e) {
            inside.leave(); // Tomcat tells nobody when work that its servlet has begun before it threw is complete
            throw e;
        }
        inside.leaveUnlessAsynchronous();
    }

    private Reply administered(HttpServletRequest request, String path) throws IOException, InterruptedException {
        return fence.administer(
                request.getMethod(),
                path,
                Collections.list(request.getHeaders("Authorization")),
                () -> body(request),
                Patience.of(
                        Optional.ofNullable(request.getHeader(Patience.HEADER)).orElse("")));
    }

    /** Throws {@link IllegalArgumentException} where the container cannot read it: Tomcat throws an unchecked exception for too many trailers. */
    private static String body(HttpServletRequest request) throws IOException {
        try {
            return new String(request.getInputStream().readNBytes(Patience.LONGEST_BODY), StandardCharsets.UTF_8);
        } catch (IllegalStateException unreadable) {
            throw new IllegalArgumentException("the body cannot be read", unreadable);
        }
    }

    private static void answer(HttpServletResponse response, Reply reply) throws IOException {
        byte[] text = (reply.text().strip() + "\n").getBytes(StandardCharsets.UTF_8);
        response.setStatus(reply.status());
        if (reply.isRefusal()) {
            response.setHeader(Reply.HEADER, Integer.toString(reply.status()));
        }
        response.setContentType("text/plain; charset=utf-8");
        response.setContentLength(text.length);
        response.getOutputStream().write(text);
    }
}
