package dev.incumbent.quorum;

import dev.incumbent.quorum.Visitors.Visitor;
import java.io.Closeable;
import java.net.SocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.ratis.thirdparty.io.netty.channel.socket.SocketChannel;
import org.apache.ratis.thirdparty.io.netty.channel.socket.nio.NioServerSocketChannel;

/**
 * Bounds the connections to the Raft port: who connects there and calls nothing keeps no member out, and takes no file descriptors from the port of the clients. Thread-safe.
 */
final class RaftDoor implements GrpcServices.Customizer, ServerInterceptor, Closeable {
    /** Members' streams to their leader are calls under way for as long as it leads; a connection for votes is made anew. */
    private static final long IDLE_SECONDS = 60;

    private static final long HANDSHAKE_SECONDS = 10;

    /** Tells at each start whether it found epoll, which nobody has asked. Held here, for a logger that nobody holds forgets its level. */
    private static final Logger TALKATIVE = Logger.getLogger("org.apache.ratis.thirdparty.io.grpc.netty.TcpMetrics");

    private static final int LOOPS = 2;

    private final Visitors visitors = new Visitors(Bounds.OF_MEMBERS, Long.MAX_VALUE);
    private final Map<SocketAddress, Visitor> strangers = new ConcurrentHashMap<>();
    private final EventLoopGroup accepting = Endpoint.loops("incumbent-raft-door", 1);
    private final EventLoopGroup loops = Endpoint.loops("incumbent-raft", LOOPS);
    private final Addressee addressee;

    /** Of the peer of that id. */
    RaftDoor(String self) {
        TALKATIVE.setLevel(Level.WARNING);
        this.addressee = new Addressee(self);
    }

    @Override
    public NettyServerBuilder customize(NettyServerBuilder server, EnumSet<GrpcServices.Type> types) {
        return server.bossEventLoopGroup(accepting)
                .workerEventLoopGroup(loops)
                .channelFactory(Guarded::new)
                .intercept(addressee)
                .intercept(this)
                .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                .maxConnectionIdle(IDLE_SECONDS, TimeUnit.SECONDS);
    }

    /** A call came: with certificates whoever made it showed one, and without them nobody can tell. */
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Optional.ofNullable(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR))
                .flatMap(from -> Optional.ofNullable(strangers.remove(from)))
                .ifPresent(Visitor::isAdmitted);
        return next.startCall(call, headers);
    }

    /** Counts what it accepts. */
    private final class Guarded extends NioServerSocketChannel {
        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            int count = super.doReadMessages(accepted);
            accepted.removeIf(one -> !isTaken((SocketChannel) one));
            return count;
        }
    }

    private boolean isTaken(SocketChannel channel) {
        Visitor visitor = visitors.arrives(channel.remoteAddress().getAddress(), () -> close(channel));
        if (visitor.isIn()) {
            SocketAddress from = channel.remoteAddress();
            strangers.put(from, visitor);
            var unused = channel.closeFuture().addListener(closed -> {
                strangers.remove(from, visitor);
                visitor.leaves();
            });
        }
        return visitor.isIn();
    }

    private static void close(SocketChannel channel) {
        if (channel.isRegistered()) {
            var unused = channel.close();
        } else {
            channel.unsafe().closeForcibly();
        }
    }

    @Override
    public void close() {
        var unusedAccepting = accepting.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        var unusedLoops = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
