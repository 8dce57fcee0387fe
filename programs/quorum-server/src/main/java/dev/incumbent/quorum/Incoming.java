package dev.incumbent.quorum;

import dev.incumbent.quorum.Route.Asked;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.ratis.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.ratis.thirdparty.io.netty.buffer.Unpooled;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpRequest;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpUtil;

/** One request as far as it has come. Used by the thread of its connection. */
final class Incoming {
    private static final int FIRST_BYTES = 1_024;

    private final HttpRequest head;
    private final String path;
    private final Route route;
    private final Set<Right> rights;
    private final boolean goesOn;
    private final ByteBuf body;

    Incoming(HttpRequest head, String path, Route route, Set<Right> rights) {
        this.head = head;
        this.path = path;
        this.route = route;
        this.rights = rights;
        this.goesOn = HttpUtil.isKeepAlive(head);
        this.body = Unpooled.buffer(Math.min(FIRST_BYTES, route.mostBytes()), route.mostBytes());
    }

    /** The path of a request's first line, its escapes undone; empty where it has none. */
    static Optional<String> path(HttpRequest head) {
        try {
            return Optional.ofNullable(new URI(head.uri()).getPath());
        } catch (URISyntaxException isNone) {
            return Optional.empty();
        }
    }

    Route route() {
        return route;
    }

    /** Does who asks want to ask more over this connection? */
    boolean goesOn() {
        return goesOn;
    }

    boolean hasRoomFor(int more) {
        return body.readableBytes() + more <= route.mostBytes();
    }

    void add(ByteBuf more) {
        body.writeBytes(more);
    }

    /** How much of the body has come. */
    int length() {
        return body.readableBytes();
    }

    /** The question, once it is whole. */
    Asked asked() {
        return new Asked(
                head.method().name(),
                path.substring(Math.min(path.length(), route.path().length())),
                body.toString(StandardCharsets.UTF_8),
                Reception.within(head.headers()),
                rights);
    }
}
