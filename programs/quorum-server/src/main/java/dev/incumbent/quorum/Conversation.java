package dev.incumbent.quorum;

import dev.incumbent.quorum.Route.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.ratis.thirdparty.io.netty.buffer.Unpooled;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelFutureListener;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.ratis.thirdparty.io.netty.channel.socket.SocketChannel;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.DefaultFullHttpResponse;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.FullHttpResponse;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpContent;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpHeaderValues;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpRequest;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpUtil;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpVersion;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.LastHttpContent;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.TooLongHttpHeaderException;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.TooLongHttpLineException;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandler;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandshakeCompletionEvent;
import org.apache.ratis.thirdparty.io.netty.util.ReferenceCountUtil;

/**
 * One connection, from its first byte to its last: one request at a time. Whatever it does has a deadline, which does not move with each byte that comes. Used by the thread of its connection alone.
 */
final class Conversation extends ChannelInboundHandlerAdapter {
    private final Reception reception;
    private final Workers workers;
    private final SocketChannel channel;
    private final Visitors.Visitor visitor;
    private Phase phase = Phase.HEAD;
    private Optional<Future<?>> deadline = Optional.empty();
    private Optional<Incoming> incoming = Optional.empty();
    private boolean hasBegun;
    private boolean goesOn;
    private boolean askedTooSoon;
    private boolean isKnown;
    private Optional<Long> knownMembers = Optional.empty();
    private String asked = Requests.NO_ROUTE;

    /** Begins one over a connection that has just been opened; called by the connection's thread. */
    Conversation(Reception reception, Workers workers, SocketChannel channel, boolean isSecured) {
        this.reception = reception;
        this.workers = workers;
        this.channel = channel;
        this.visitor = reception.visitors().arrives(channel.remoteAddress().getAddress(), this::close);
        var unused = channel.closeFuture().addListener(closed -> isOver());
        if (isSecured) {
            become(Phase.HANDSHAKE, patience().handshake());
        } else {
            become(Phase.HEAD, patience().head());
        }
    }

    private enum Phase {
        HANDSHAKE,
        HEAD,
        BODY,
        ANSWERING,
        SENDING,
        IDLE,
        REFUSED
    }

    private Bounds.Patience patience() {
        return reception.bounds().patience();
    }

    private void become(Phase next, Duration atMost) {
        deadline.ifPresent(last -> last.cancel(false));
        phase = next;
        deadline = Optional.of(channel.eventLoop().schedule(this::giveUp, atMost.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** The deadline has passed. Who has not sent a whole request is told so. */
    private void giveUp() {
        if (phase == Phase.HEAD && hasBegun) {
            refuse(
                    408,
                    "the headers of a request take at most " + patience().head().toMillis() + " ms\n");
        } else if (phase == Phase.BODY) {
            refuse(
                    408,
                    "the body of a request takes at most " + patience().body().toMillis() + " ms\n");
        } else {
            close();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslHandshakeCompletionEvent && phase == Phase.HANDSHAKE) {
            become(Phase.HEAD, patience().head());
        }
    }

    /** Bytes came, of whatever. */
    void hears() {
        hasBegun |= phase == Phase.HEAD;
        if (phase == Phase.IDLE) {
            hasBegun = true;
            become(Phase.HEAD, patience().head());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            if (phase == Phase.HEAD && message instanceof HttpRequest head) {
                take(head);
            } else if (phase == Phase.BODY && message instanceof HttpContent content) {
                take(content);
            } else if (phase == Phase.REFUSED && message instanceof LastHttpContent) {
                close();
            } else {
                askedTooSoon = true;
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void take(HttpRequest head) {
        if (head.decoderResult().isFailure()) {
            refuseUnreadable(head.decoderResult().cause());
            return;
        }
        Set<Right> rights = reception.rights(head.headers());
        isKnown = rights.contains(Right.TOKEN);
        knownMembers = Reception.known(head.headers());
        Optional<String> path = Incoming.path(head);
        Route route = reception.route(path.orElse("/"));
        asked = route.path();
        Optional<Answer> refusal = reception.refusal(route, rights, head.headers());
        if (refusal.isPresent()) {
            refuse(refusal.get().status(), refusal.get().text());
        } else if (path.isEmpty()) {
            refuse(400, "the request names no path\n");
        } else {
            begin(head, new Incoming(head, path.get(), route, rights));
        }
    }

    private void refuseUnreadable(Throwable why) {
        Bounds.Sizes sizes = reception.bounds().sizes();
        if (why instanceof TooLongHttpLineException) {
            refuse(414, "the first line of a request has at most " + sizes.line() + " bytes\n");
        } else if (why instanceof TooLongHttpHeaderException) {
            refuse(431, "the headers of a request have at most " + sizes.headers() + " bytes\n");
        } else {
            refuse(400, "this is no HTTP\n");
        }
    }

    private void begin(HttpRequest head, Incoming next) {
        if (HttpUtil.getContentLength(head, 0L) > next.route().mostBytes()) {
            refuseTooLong(next.route());
            return;
        }
        if (!reception.begins(next.route())) {
            refuse(503, "too many requests are under way at this node\n");
            return;
        }
        incoming = Optional.of(next);
        if (isKnown && reception.asksForToken()) {
            visitor.isAdmitted();
        }
        become(Phase.BODY, patience().body());
        if (HttpUtil.is100ContinueExpected(head)) {
            send(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        }
    }

    private void refuseTooLong(Route route) {
        refuse(413, "a request to " + route.path() + " has at most " + route.mostBytes() + " bytes\n");
    }

    private void take(HttpContent content) {
        Incoming current = incoming.orElseThrow();
        ByteBuf more = content.content();
        if (content.decoderResult().isFailure()) {
            refuse(400, "this is no HTTP\n");
        } else if (!current.hasRoomFor(more.readableBytes())) {
            refuseTooLong(current.route());
        } else if (!reception.keeps(more.readableBytes())) {
            refuse(503, "the requests that are under way at this node are too long\n");
        } else {
            current.add(more);
            if (content instanceof LastHttpContent) {
                handOn(current);
            }
        }
    }

    /** The request is whole. It counts until it is answered, even if nobody waits for that any more. */
    private void handOn(Incoming whole) {
        incoming = Optional.empty();
        goesOn = whole.goesOn();
        if (isKnown && whole.route().needs() != Right.NONE) {
            visitor.isAdmitted();
        }
        become(Phase.ANSWERING, Bounds.Patience.ANSWERING);
        workers.answer(whole, () -> reception.givesBack(whole.length()), answer -> {
            reception.ends(whole.route());
            answered(answer);
        });
    }

    /** On any thread; nothing is told where there is no answer, which leaves open what became of the request. */
    private void answered(Optional<Answer> answer) {
        channel.eventLoop().execute(() -> {
            if (phase != Phase.ANSWERING) {
                return;
            }
            if (answer.isPresent()) {
                send(answer.get(), goesOn && !askedTooSoon);
            } else {
                reception.requests().add(asked, Requests.NO_ANSWER);
                close();
            }
        });
    }

    /** Answers before the request is whole; what still comes of it is passed over for a moment. */
    private void refuse(int status, String text) {
        send(new Answer(status, text), false);
    }

    private void send(Answer answer, boolean staysOpen) {
        boolean isWhole = phase == Phase.ANSWERING;
        reception.requests().add(asked, Integer.toString(answer.status()));
        giveBack();
        ByteBuf content = Unpooled.copiedBuffer(answer.text(), StandardCharsets.UTF_8);
        FullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(answer.status()), content);
        if (isKnown) {
            reception.sign(response.headers(), knownMembers);
        }
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, answer.type());
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
        if (!staysOpen) {
            response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        become(Phase.SENDING, patience().reading());
        visitor.reads(content.readableBytes());
        var unused = channel.writeAndFlush(response).addListener((ChannelFutureListener) sent -> {
            if (!sent.isSuccess() || phase != Phase.SENDING) {
                close();
            } else if (staysOpen && !askedTooSoon) {
                hasBegun = false;
                asked = Requests.NO_ROUTE;
                visitor.isIdle();
                become(Phase.IDLE, patience().idle());
            } else if (isWhole && !askedTooSoon) {
                close();
            } else {
                passOverTheRest();
            }
        });
    }

    private void send(FullHttpResponse interim) {
        var unused = channel.writeAndFlush(interim);
    }

    /** Closed at once, the connection would be reset, and the refusal lost. */
    private void passOverTheRest() {
        become(Phase.REFUSED, patience().refused());
        SslHandler secured = channel.pipeline().get(SslHandler.class);
        if (secured == null) {
            var unused = channel.shutdownOutput();
        } else {
            var unused = secured.closeOutbound();
        }
    }

    /** What has come of a request that never becomes whole. */
    private void giveBack() {
        incoming.ifPresent(part -> {
            reception.givesBack(part.length());
            reception.ends(part.route());
        });
        incoming = Optional.empty();
    }

    /** On any thread. */
    private void close() {
        var unused = channel.close();
    }

    private void isOver() {
        deadline.ifPresent(last -> last.cancel(false));
        giveBack();
        visitor.leaves();
    }

    /** Who speaks no TLS, or broke off: there is nobody to tell. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        close();
    }
}
