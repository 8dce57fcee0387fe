package dev.incumbent.quorum;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.apache.ratis.thirdparty.io.netty.bootstrap.ServerBootstrap;
import org.apache.ratis.thirdparty.io.netty.channel.Channel;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelFuture;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInitializer;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelOption;
import org.apache.ratis.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.ratis.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.ratis.thirdparty.io.netty.channel.socket.SocketChannel;
import org.apache.ratis.thirdparty.io.netty.channel.socket.nio.NioServerSocketChannel;
import org.apache.ratis.thirdparty.io.netty.handler.codec.http.HttpServerCodec;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandler;
import org.apache.ratis.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;

/**
 * The HTTP by which clients, people and the other nodes speak to this node, on the Netty that Ratis brings. No connection has a thread, and each is held to the {@link Bounds}.
 */
final class Endpoint implements Closeable {
    private static final int LOOPS = 2;
    private static final int BACKLOG = 1_024;
    private static final int CHUNK = 8_192;
    private static final int GOODBYE_MILLIS = 200;

    private final Reception reception;
    private final Workers workers = new Workers();
    private final EventLoopGroup loops = loops("incumbent-http", LOOPS);
    /** One, so that handshakes take one processor at most. */
    private final ExecutorService handshakes = Workers.threads("incumbent-tls", 1);

    private final Optional<SSLContext> tls;
    private final Channel listening;

    private Endpoint(Reception reception, Optional<SSLContext> tls, InetSocketAddress at) throws IOException {
        this.reception = reception;
        this.tls = tls;
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new Opening())
                .bind(at)
                .awaitUninterruptibly();
        this.listening = bound.channel();
        if (!bound.isSuccess()) {
            close();
            throw bound.cause() instanceof IOException cause ? cause : new IOException(at + ": " + bound.cause());
        }
    }

    /** Listens; nothing is answered before it is told by what. */
    static Endpoint listen(Member self, Tokens tokens, Optional<SSLContext> tls) throws IOException {
        Reception reception = new Reception(self.name(), tokens, Bounds.OF_CLIENTS);
        return listen(reception, tls, new InetSocketAddress(self.host(), self.port()));
    }

    /** The same, held to that reception's bounds. */
    static Endpoint listen(Reception reception, Optional<SSLContext> tls, InetSocketAddress at) throws IOException {
        return new Endpoint(reception, tls, at);
    }

    static EventLoopGroup loops(String name, int count) {
        return new NioEventLoopGroup(count, new DefaultThreadFactory(name, true));
    }

    /** This answers already before the node takes part. */
    void answer(Route route) {
        reception.add(route);
    }

    /** From now on these answer, too, every answer names the quorum and its leader, and who means another quorum is refused. */
    void takePart(String quorum, Supplier<Optional<String>> leader, Supplier<Members> members, List<Route> routes) {
        reception.takePart(quorum, leader, members, routes);
    }

    /** How often it was asked for what. */
    Requests requests() {
        return reception.requests();
    }

    /** What is done with a connection before anything is read. */
    private final class Opening extends ChannelInitializer<SocketChannel> {
        @Override
        protected void initChannel(SocketChannel channel) {
            tls.ifPresent(context -> channel.pipeline().addLast(secured(context)));
            Conversation conversation = new Conversation(reception, workers, channel, tls.isPresent());
            Bounds.Sizes sizes = reception.bounds().sizes();
            channel.pipeline()
                    .addLast(new Hearing(conversation))
                    .addLast(new HttpServerCodec(sizes.line(), sizes.headers(), CHUNK))
                    .addLast(conversation);
        }
    }

    private SslHandler secured(SSLContext context) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SslHandler handler = new SslHandler(engine, false, handshakes);
        handler.setHandshakeTimeoutMillis(0); // the conversation's own deadline bounds it
        handler.setCloseNotifyFlushTimeoutMillis(GOODBYE_MILLIS); // else who reads nothing keeps it open for 3 s
        return handler;
    }

    /** Tells a conversation of every byte, where the decoder behind it tells of whole headers alone. */
    private static final class Hearing extends ChannelInboundHandlerAdapter {
        private final Conversation conversation;

        private Hearing(Conversation conversation) {
            this.conversation = conversation;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            conversation.hears();
            var unused = ctx.fireChannelRead(message);
        }
    }

    @Override
    public void close() {
        var unusedListening = listening.close().awaitUninterruptibly();
        reception.visitors().closeAll();
        workers.close();
        handshakes.shutdownNow();
        var unusedLoops = loops.shutdownGracefully(0, GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
    }
}
