package dev.incumbent.beats.netty;

import dev.incumbent.beats.BeatTransport;
import dev.incumbent.model.CandidateId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Connections over TCP by which the processes of some elections hear each other, for {@code Elections.Builder.beats}. Every process listens, and connects to those that lead what it stands in.
 *
 * <p>All processes share a file of keys, by which they know each other. Without it a process listens on loopback only, unless it is told that this is not wanted. What is sent bears proofs and is not encrypted: names of elections, their terms and
 * addresses can be read on the network. Thread-safe.
 */
public final class NettyBeats implements BeatTransport.Source {
    private final HostPort at;
    private final Optional<HostPort> advertised;
    private final Keys keys;

    private NettyBeats(HostPort at, Optional<HostPort> advertised, Keys keys) {
        this.at = at;
        this.advertised = advertised;
        this.keys = keys;
    }

    /** At that {@code host:port}; port 0 is any free one. */
    public static Builder listen(String hostPort) {
        return new Builder(HostPort.of(hostPort));
    }

    /** Fails with an {@link IllegalStateException} if it cannot listen there. */
    @Override
    public BeatTransport open(CandidateId me) {
        return new NettyTransport(
                me,
                new InetSocketAddress(at.host(), at.port()),
                listening -> advertised.orElse(at).withPortOf(listening).toString(),
                keys,
                Names.ofThisMachine());
    }

    /** The settings. */
    public static final class Builder {
        private final HostPort at;
        private Optional<HostPort> advertised = Optional.empty();
        private Optional<Path> keys = Optional.empty();
        private boolean isInsecure;

        private Builder(HostPort at) {
            this.at = at;
        }

        /** Where others reach this process, if that is not where it listens; port 0 is the one at which it listens. */
        public Builder advertise(String hostPort) {
            advertised = Optional.of(HostPort.of(hostPort));
            return this;
        }

        /**
         * The keys that all processes share, one or two, one a line of at least 16 characters; read again when the file changes. To replace a key, first add the new one to every file as its second line, then make it
         * the only one everywhere.
         */
        public Builder keys(Path file) {
            keys = Optional.of(file);
            return this;
        }

        /** Listens beyond this machine without keys: whoever reaches the port may say that a leader lives, and ask about others. */
        public Builder insecure() {
            isInsecure = true;
            return this;
        }

        private static boolean isAnywhere(HostPort it) {
            return it.host().equals("0.0.0.0") || it.host().equals("::");
        }

        /** Fails where the keys cannot be read or are none, and where it would listen beyond this machine without any. */
        public NettyBeats build() throws IOException {
            InetSocketAddress there = new InetSocketAddress(at.host(), at.port());
            boolean isOfThisMachine =
                    !there.isUnresolved() && there.getAddress().isLoopbackAddress();
            if (keys.isEmpty() && !isInsecure && !isOfThisMachine) {
                throw new IllegalStateException("beats listen at " + at
                        + ", beyond this machine, without keys: name a file of keys, or say that it may be insecure");
            }
            if (advertised.isEmpty()
                    && !there.isUnresolved()
                    && there.getAddress().isAnyLocalAddress()) {
                throw new IllegalStateException("beats listen at " + at
                        + ", by which no other process reaches this one: advertise another address");
            }
            if (advertised.filter(Builder::isAnywhere).isPresent()) {
                throw new IllegalStateException("beats advertise " + advertised.get()
                        + ", which is every address of a machine and none of this one: advertise one of its own");
            }
            return new NettyBeats(at, advertised, keys.isPresent() ? Keys.in(keys.get()) : Keys.none());
        }
    }
}
