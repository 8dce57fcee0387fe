package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** What the nodes tell each other of their disks: this node's marker, and the exchange of rolls over HTTP. Thread-safe. */
final class Peers {
    static final String ROLL = "/v1/roll";
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Path folder;
    private final List<Member> others;
    private final Peering peering;
    private final HttpClient http;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Marker marker;

    Peers(Path folder, Marker marker, List<Member> members, Peering peering) {
        this.folder = folder;
        this.marker = marker;
        this.others = members.stream()
                .filter(member -> !member.name().equals(marker.member()))
                .toList();
        this.peering = peering;
        this.http = peering.client();
    }

    /** As it was last made durable; does not wait for the disk. */
    Marker marker() {
        return marker;
    }

    /** Changes the marker, durably. */
    Marker change(UnaryOperator<Marker> how) throws IOException {
        lock.lock();
        try {
            Marker next = how.apply(marker);
            if (!next.equals(marker)) {
                next.write(folder);
                marker = next;
            }
            return marker;
        } finally {
            lock.unlock();
        }
    }

    /** Another node asks, and tells what it knows: kept before it is answered. */
    String answer(String body) throws IOException {
        Roll its = Roll.of(Line.lines(body));
        return Line.body(
                change(mine -> mine.with(mine.roll().merged(its))).roll().lines());
    }

    /** The rolls of those others that answer; each is told {@code told}, which is nothing where it is empty. */
    Map<String, Roll> ask(String told) {
        Map<String, Roll> answers = new ConcurrentHashMap<>();
        List<CompletableFuture<Void>> asked =
                others.stream().map(member -> ask(member, told, answers)).toList();
        try {
            CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof NodeRefusal refused ? refused : e;
        }
        return answers;
    }

    private CompletableFuture<Void> ask(Member member, String told, Map<String, Roll> answers) {
        HttpRequest request = peering.request(member, ROLL)
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(told))
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).handle((reply, failure) -> {
            if (reply != null && (reply.statusCode() == 401 || reply.statusCode() == 403)) {
                throw new NodeRefusal("node " + member.name()
                        + (reply.statusCode() == 401
                                ? " does not know this node's token"
                                : " knows this node's token, and not as a node's")
                        + ": all nodes are given the same by --node-token-file, or by --token-file");
            }
            if (reply != null && reply.statusCode() == 200) {
                answers.put(member.name(), Roll.of(Line.lines(reply.body())));
            }
            return nothing();
        });
    }

    /** One beat: made durable, told to the others, and what they know taken. */
    void beat() throws IOException {
        Marker now = change(Marker::beat);
        for (Roll its : ask(Line.body(now.roll().lines())).values()) {
            change(mine -> mine.with(mine.roll().merged(its)));
        }
    }

    /** Asks whoever leads to take this node's new disk in the place of its last one. Throws {@link NodeRefusal} where this build is too old for that. */
    boolean rejoin(String path) {
        for (Member member : others) {
            HttpRequest request = peering.request(member, path)
                    .timeout(Duration.ofSeconds(30))
                    .POST(HttpRequest.BodyPublishers.ofString(Line.of(marker().member(), marker().disk())))
                    .build();
            try {
                HttpResponse<String> reply = http.send(request, HttpResponse.BodyHandlers.ofString());
                if (reply.statusCode() == 409) {
                    throw new NodeRefusal(reply.body().strip());
                }
                if (reply.statusCode() == 200) {
                    return true;
                }
            } catch (IOException notThisOne) {
                // The next one may lead.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }

    @SuppressWarnings("NullAway") // Void has no other value.
    private static Void nothing() {
        return null;
    }
}
