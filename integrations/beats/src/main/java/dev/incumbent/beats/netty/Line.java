package dev.incumbent.beats.netty;

import dev.incumbent.beats.Message;
import dev.incumbent.beats.Peer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One connection: first a handshake, then messages. Used by the transport's thread. */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a write or a close shows as the end of its channel
final class Line extends SimpleChannelInboundHandler<ByteBuf> {
    private static final String FRAMES = "frames";
    private static final int LENGTH = 4;
    /** Nobody who has not shown that it knows a key makes this process keep more. */
    private static final int LONGEST_GREETING = 4_096;

    private static final int LONGEST_FRAME = 1 << 24;
    private static final long HANDSHAKE_MILLIS = 1_000;
    private static final long FAREWELL_MILLIS = 1_000;

    private final Listener listener;
    private final Handshake handshake;
    private Optional<Channel> channel = Optional.empty();
    private Optional<Seal> sending = Optional.empty();
    private Optional<Seal> receiving = Optional.empty();
    private boolean isDropped;

    /** Who hears of one connection. */
    interface Listener {
        /** Its handshake has shown who is at the other end; false where that one is not wanted. */
        boolean isOpen(Line line, Peer other);

        void received(Line line, Message message);

        /** Told once, whether or not the handshake was done; not after {@link Line#drop}. */
        void ended(Line line);
    }

    Line(Handshake handshake, Listener listener) {
        this.handshake = handshake;
        this.listener = listener;
    }

    void prepare(Channel fresh) {
        fresh.pipeline().addLast(FRAMES, frames(LONGEST_GREETING)).addLast(this);
    }

    private static LengthFieldBasedFrameDecoder frames(int longest) {
        return new LengthFieldBasedFrameDecoder(longest, 0, LENGTH, 0, LENGTH);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = Optional.of(context.channel());
        if (handshake.dials()) {
            write(handshake.greeting());
        }
        context.executor()
                .schedule(
                        () -> {
                            if (!handshake.isDone()) {
                                context.close();
                            }
                        },
                        HANDSHAKE_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        if (isDropped) {
            return;
        }
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        boolean goesOn = receiving.isPresent() ? isMessage(receiving.get(), bytes) : isGreeting(context, bytes);
        if (!goesOn) {
            context.close();
        }
    }

    private boolean isGreeting(ChannelHandlerContext context, byte[] said) {
        Optional<byte[]> reply = handshake.heard(said);
        reply.filter(it -> it.length > 0).ifPresent(this::write);
        if (reply.isEmpty() || !handshake.isDone()) {
            return reply.isPresent();
        }
        sending = Optional.of(handshake.sending());
        receiving = Optional.of(handshake.receiving());
        context.pipeline().replace(FRAMES, FRAMES, frames(LONGEST_FRAME));
        return listener.isOpen(this, handshake.peer());
    }

    private boolean isMessage(Seal seal, byte[] bytes) {
        Optional<byte[]> text = seal.opened(bytes);
        if (text.isEmpty()) {
            return false;
        }
        try {
            listener.received(this, Wording.read(text.get()));
            return true;
        } catch (Wording.NoMessageException none) {
            return false;
        }
    }

    /** The address of the other end, once there is a connection. */
    Optional<InetAddress> remote() {
        return channel.flatMap(it ->
                it.remoteAddress() instanceof InetSocketAddress at ? Optional.of(at.getAddress()) : Optional.empty());
    }

    /** What the other end does not read for long ends the connection: it is silent anyway. */
    void send(Message message) {
        sending.ifPresent(seal -> write(seal.sealed(Wording.written(message))));
        channel.filter(it -> !it.isWritable()).ifPresent(Channel::close);
    }

    private void write(byte[] frame) {
        channel.ifPresent(it -> {
            ByteBuf bytes = it.alloc().buffer(LENGTH + frame.length);
            it.writeAndFlush(bytes.writeInt(frame.length).writeBytes(frame));
        });
    }

    /** Ends it once what was sent has left, or nobody has read it for a second. */
    void drop() {
        isDropped = true;
        channel.ifPresent(it -> {
            it.writeAndFlush(it.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
            it.eventLoop().schedule(() -> it.close(), FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
        });
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (!isDropped) {
            isDropped = true;
            listener.ended(this);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable broken) {
        context.close();
    }
}
