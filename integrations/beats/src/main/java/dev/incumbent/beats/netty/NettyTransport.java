package dev.incumbent.beats.netty;

import dev.incumbent.beats.BeatEvent;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.beats.Message;
import dev.incumbent.beats.Peer;
import dev.incumbent.model.CandidateId;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The connections of one process, all on one thread of Netty's. A task that is due runs once what has arrived was read. */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a write or a close shows as the end of its channel
final class NettyTransport implements BeatTransport {
    private static final int DIAL_MILLIS = 500;
    private static final int BACKLOG = 256;
    /** No more connections than that may be open that have not shown a key yet: so nobody without one takes all descriptors of this process. */
    static final int MOST_STRANGERS = 64;

    /** Of no more processes than that it is known where they were reached. */
    private static final int MOST_REACHED = 1_000;

    private static final WriteBufferWaterMark MOST_UNREAD = new WriteBufferWaterMark(1 << 20, 1 << 25);

    private final MultiThreadIoEventLoopGroup group;
    private final EventLoop loop;
    private final Keys keys;
    private final Names names;
    private final Channel listening;
    private final Peer me;
    private final Map<Long, Line> lines = new HashMap<>();
    private final Map<Line, Long> numbers = new HashMap<>();
    /** The addresses at which processes were reached, the earliest first. */
    private final Map<CandidateId, InetAddress> reachedAt = new LinkedHashMap<>();

    private volatile Consumer<BeatEvent> hears = event -> {};
    private Optional<Future<?>> alarm = Optional.empty();
    private long count;
    private int strangers;

    /** Listens at that address, and tells others to connect to the one that {@code advertised} makes of it. */
    NettyTransport(CandidateId id, InetSocketAddress at, Advertised advertised, Keys keys, Names names) {
        this.group = new MultiThreadIoEventLoopGroup(
                1,
                task -> {
                    Thread thread = new Thread(task, "incumbent-beats");
                    thread.setDaemon(true);
                    return thread;
                },
                NioIoHandler.newFactory());
        this.loop = group.next();
        this.keys = keys;
        this.names = names;
        this.listening = listening(at);
        this.me = new Peer(id, advertised.of((InetSocketAddress) listening.localAddress()));
    }

    /** Makes the address for others of the one that it listens at. */
    interface Advertised {
        String of(InetSocketAddress listening);
    }

    private Channel listening(InetSocketAddress at) {
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, MOST_UNREAD)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel fresh) {
                        accept(fresh);
                    }
                })
                .bind(at)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            names.close();
            throw new IllegalStateException(
                    "beats cannot listen at " + at.getHostString() + ":" + at.getPort() + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return bound.channel();
    }

    private void accept(Channel fresh) {
        if (strangers == MOST_STRANGERS) {
            fresh.close();
        } else {
            strangers++;
            new Line(new Handshake(me, false, keys), new Accepted()).prepare(fresh);
        }
    }

    @Override
    public String address() {
        return me.address();
    }

    @Override
    public long nanos() {
        return loop.ticker().nanoTime();
    }

    @Override
    public void begin(Consumer<BeatEvent> consumer) {
        hears = consumer;
        listening.config().setAutoRead(true);
    }

    @Override
    public void execute(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException closed) {
            // After close nothing is run.
        }
    }

    @Override
    public void wakeAt(long nanos) {
        alarm.ifPresent(before -> before.cancel(false));
        long delay = Math.max(0, nanos - nanos());
        alarm = Optional.of(loop.schedule(() -> hears.accept(new BeatEvent.Woken()), delay, TimeUnit.NANOSECONDS));
    }

    /** The address is another process's word: one that is none is nobody's. */
    @Override
    public void dial(Peer peer) {
        try {
            names.addresses(HostPort.of(peer.address()))
                    .exceptionally(unknown -> List.of())
                    .thenAccept(addresses -> execute(() -> next(new Dialling(peer, addresses))));
        } catch (IllegalArgumentException | RejectedExecutionException noAddress) {
            execute(() -> next(new Dialling(peer, List.of())));
        }
    }

    /** Tries the next address of the peer's host. In a turn of its own: a connection may fail before it is asked for what becomes of it. */
    private void next(Dialling dialling) {
        if (!dialling.left.hasNext()) {
            hears.accept(new BeatEvent.Unreached(dialling.peer, dialling.isRefused));
            return;
        }
        InetSocketAddress at = dialling.left.next();
        new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, DIAL_MILLIS)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, MOST_UNREAD)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel fresh) {
                        new Line(Handshake.dialling(me, dialling.peer.id(), keys), dialling).prepare(fresh);
                    }
                })
                .connect(at)
                .addListener(dialled -> {
                    if (!dialled.isSuccess()) {
                        dialling.failed(at, isRefused(dialled.cause()));
                        execute(() -> next(dialling));
                    }
                });
    }

    static boolean isRefused(Throwable why) {
        return why instanceof ConnectException && !(why instanceof ConnectTimeoutException);
    }

    @Override
    public void send(long connection, Message message) {
        Optional.ofNullable(lines.get(connection)).ifPresent(line -> line.send(message));
    }

    @Override
    public void drop(long connection) {
        Optional.ofNullable(lines.remove(connection)).ifPresent(line -> {
            numbers.remove(line);
            line.drop();
        });
    }

    /** What was given before has been run then: a group that shuts down closes connections before it runs what waits. */
    @Override
    public void close() {
        execute(() -> {
            hears = event -> {};
            alarm.ifPresent(before -> before.cancel(false));
            listening.close();
            names.close();
            List.copyOf(lines.keySet()).forEach(this::drop);
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        });
    }

    private void opened(Line line, Peer other, boolean dialled) {
        long connection = ++count;
        lines.put(connection, line);
        numbers.put(line, connection);
        if (dialled) { // whoever dials comes from an address at which nobody need listen
            line.remote().ifPresent(address -> remember(other.id(), address));
        }
        hears.accept(new BeatEvent.Connected(connection, other, dialled));
    }

    private void remember(CandidateId id, InetAddress address) {
        reachedAt.remove(id);
        reachedAt.put(id, address);
        if (reachedAt.size() > MOST_REACHED) {
            reachedAt.remove(reachedAt.keySet().iterator().next());
        }
    }

    /** Was it open? */
    private boolean closed(Line line) {
        Optional<Long> connection = Optional.ofNullable(numbers.remove(line));
        connection.ifPresent(number -> {
            lines.remove(number);
            hears.accept(new BeatEvent.Disconnected(number));
        });
        return connection.isPresent();
    }

    private void heard(Line line, Message message) {
        Optional.ofNullable(numbers.get(line))
                .ifPresent(connection -> hears.accept(new BeatEvent.Received(connection, message)));
    }

    private final class Accepted implements Line.Listener {
        private boolean isKnown;

        @Override
        public boolean isOpen(Line line, Peer other) {
            isKnown = true;
            strangers--;
            opened(line, other, false);
            return true;
        }

        @Override
        public void received(Line line, Message message) {
            heard(line, message);
        }

        @Override
        public void ended(Line line) {
            strangers -= isKnown ? 0 : 1;
            boolean unused = closed(line);
        }
    }

    /**
     * A peer that is dialled at one address of its host after another, first where that very process was reached. If that address refuses, the peer is refused, whatever the others
     * would say: one that is not reached, such as an IPv6 address without a route, says nothing of a process that never used it. Where it was not reached before, it is refused if all refuse.
     */
    private final class Dialling implements Line.Listener {
        private final Peer peer;
        private final Optional<InetSocketAddress> reached;
        private Iterator<InetSocketAddress> left;
        private boolean isRefused;

        Dialling(Peer peer, List<InetSocketAddress> addresses) {
            this.peer = peer;
            this.reached = addresses.stream()
                    .filter(one -> one.getAddress().equals(reachedAt.get(peer.id())))
                    .findFirst();
            this.left = Stream.concat(reached.stream(), addresses.stream())
                    .distinct()
                    .toList()
                    .iterator();
            this.isRefused = !addresses.isEmpty();
        }

        void failed(InetSocketAddress at, boolean refuses) {
            isRefused &= refuses;
            if (refuses && reached.equals(Optional.of(at))) {
                left = Collections.emptyIterator();
            }
        }

        @Override
        public boolean isOpen(Line line, Peer other) {
            opened(line, peer, true);
            return true;
        }

        @Override
        public void received(Line line, Message message) {
            heard(line, message);
        }

        /** One that ends before it is open is somebody else's. */
        @Override
        public void ended(Line line) {
            if (!closed(line)) {
                isRefused = false;
                next(this);
            }
        }
    }
}
