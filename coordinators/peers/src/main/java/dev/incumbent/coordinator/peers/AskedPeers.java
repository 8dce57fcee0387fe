package dev.incumbent.coordinator.peers;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.peers.PeerFrames.PeerFrame;
import dev.incumbent.internal.Calls;
import dev.incumbent.peers.MemberId;
import dev.incumbent.wire.HostAddresses;
import dev.incumbent.wire.StoreUri.HostAndPort;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Asks the members of a group, on a connection and a thread for each question. Thread-safe. */
final class AskedPeers {
    private final PeersUri uri;
    private final Duration bound;
    private final Map<HostAndPort, HostAddresses> places = new ConcurrentHashMap<>();

    AskedPeers(PeersUri uri, Duration bound) {
        this.uri = uri;
        this.bound = bound;
    }

    /** What those members tell that answer in time, at least one; else it fails with a {@link CoordinatorException}. */
    CompletionStage<List<PeerStanding>> all() {
        Map<MemberId, CompletableFuture<PeerStanding>> asked = new TreeMap<>();
        uri.addresses().keySet().forEach(member -> asked.put(member, ask(member, new PeerQuestion.HowItStands())));
        return CompletableFuture.allOf(asked.values().toArray(new CompletableFuture<?>[0]))
                .handle((done, anyFailure) -> answers(asked));
    }

    private List<PeerStanding> answers(Map<MemberId, CompletableFuture<PeerStanding>> asked) {
        List<PeerStanding> answers = new ArrayList<>();
        List<String> silent = new ArrayList<>();
        asked.forEach((member, one) -> {
            if (one.isCompletedExceptionally()) {
                silent.add(member + ": "
                        + one.handle((told, why) -> Calls.why(why)).join());
            } else {
                answers.add(one.join());
            }
        });
        if (answers.isEmpty()) {
            throw new CoordinatorException(
                    "no member of " + uri.label() + " answers: " + String.join("; ", silent), false);
        }
        return answers;
    }

    /** Asks one member; fails where it does not answer in time, or refuses. */
    CompletableFuture<PeerStanding> ask(MemberId member, PeerQuestion question) {
        CompletableFuture<PeerStanding> answer = new CompletableFuture<>();
        Set<Socket> tried = ConcurrentHashMap.newKeySet();
        Thread asks = new Thread(() -> ask(tried, member, question, answer), "incumbent-peers-asks-" + member);
        asks.setDaemon(true);
        asks.start();
        return answer.orTimeout(bound.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((told, failure) -> tried.forEach(AskedPeers::close));
    }

    private void ask(
            Set<Socket> tried, MemberId member, PeerQuestion question, CompletableFuture<PeerStanding> answer) {
        HostAndPort address = uri.addressOf(member);
        try (Socket raw = connected(address, tried, answer)) {
            raw.setSoTimeout(millis());
            Socket socket = uri.tls().isPresent() ? uri.tls().get().dialled(raw, address) : raw;
            DataOutputStream out = PeerConnection.writing(socket);
            PeerFrames.write(out, PeerFrames.QUESTION, PeerQuestion.CODEC.written(question));
            out.flush();
            PeerFrame frame = PeerFrames.read(PeerConnection.reading(socket));
            if (frame.kind() != PeerFrames.STANDING) {
                throw new MessageException(new String(frame.body(), StandardCharsets.UTF_8));
            }
            answer.complete(PeerStanding.CODEC.read(frame.body()));
        } catch (IOException | MessageException e) {
            answer.completeExceptionally(
                    new CoordinatorException(Optional.ofNullable(e.getMessage()).orElse(e.toString()), true, e));
        }
    }

    /** At whichever address of its name takes the connection. */
    private Socket connected(HostAndPort to, Set<Socket> tried, CompletableFuture<?> answer) throws IOException {
        return places.computeIfAbsent(to, place -> new HostAddresses(place.host()))
                .connect(bound, answer::isDone, (one, millis) -> {
                    Socket raw = new Socket();
                    tried.add(raw);
                    try {
                        if (answer.isDone()) {
                            throw new SocketException("nobody waits for the answer");
                        }
                        raw.setTcpNoDelay(true);
                        raw.connect(new InetSocketAddress(one, to.port()), millis);
                        return raw;
                    } catch (IOException failure) {
                        close(raw);
                        throw failure;
                    }
                });
    }

    private int millis() {
        return (int) Math.max(1, bound.toMillis());
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException endsAnyway) {
            // Nobody waits for it any more.
        }
    }
}
