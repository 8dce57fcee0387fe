package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** What the nodes tell each other of their disks: this node's marker, and the exchange of rolls over HTTP. Thread-safe. */
final class Peers {
    static final String ROLL = "/v1/roll";
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Path folder;
    private final List<Member> given;
    private final Peering peering;
    private final HttpClient http;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Marker marker;

    Peers(Path folder, Marker marker, List<Member> members, Peering peering) {
        this.folder = folder;
        this.marker = marker;
        this.given = List.copyOf(members);
        this.peering = peering;
        this.http = peering.client();
    }

    /** As it was last made durable; does not wait for the disk. */
    Marker marker() {
        return marker;
    }

    /** The members as the log has told of them; before it has, as this node was started with. */
    List<Member> members() {
        Members told = marker.roll().members();
        return told.areKnown() ? told.members() : given;
    }

    /** The other members by their names, and at their end those that this node was started with at other addresses: all that are known may be dead. */
    private Map<String, Member> others() {
        Map<String, Member> others = new LinkedHashMap<>();
        members().forEach(member -> others.put(member.name(), member));
        given.stream()
                .filter(member -> !others.containsValue(member))
                .forEach(member ->
                        others.put(others.containsKey(member.name()) ? member.toString() : member.name(), member));
        others.values().removeIf(member -> member.name().equals(marker.member()));
        return others;
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

    /** The rolls of those others that answer, by their names; each is told {@code told}, which is nothing where it is empty. */
    Map<String, Roll> ask(String told) {
        Map<String, Roll> answers = new ConcurrentHashMap<>();
        List<CompletableFuture<Void>> asked = new ArrayList<>();
        others().forEach((key, member) -> asked.add(ask(key, member, told, answers)));
        try {
            CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof NodeRefusal refused ? refused : e;
        }
        return answers;
    }

    /** The same; a later list of members that one tells of is kept, and those are asked, too. */
    Map<String, Roll> askAll() throws IOException {
        Map<String, Roll> answers = ask("");
        List<Member> before = members();
        for (Roll its : answers.values()) {
            change(mine -> mine.with(mine.roll().withMembersOf(its)));
        }
        return members().equals(before) ? answers : ask("");
    }

    private CompletableFuture<Void> ask(String key, Member member, String told, Map<String, Roll> answers) {
        HttpRequest request = peering.request(member, ROLL)
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(told))
                .build();
        return Peering.send(http, request).handle((reply, failure) -> {
            if (reply != null && (reply.statusCode() == 401 || reply.statusCode() == 403)) {
                throw new NodeRefusal("node " + member.name()
                        + (reply.statusCode() == 401
                                ? " does not know this node's token"
                                : " knows this node's token, and not as a node's")
                        + ": all nodes are given the same by --node-token-file, or by --token-file");
            }
            if (reply != null && reply.statusCode() == 200) {
                answers.put(key, Roll.of(Line.lines(reply.body())));
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
        for (Member member : others().values()) {
            HttpRequest request = peering.request(member, path)
                    .timeout(Duration.ofSeconds(30))
                    .POST(HttpRequest.BodyPublishers.ofString(Line.of(marker().member(), marker().disk())))
                    .build();
            try {
                HttpResponse<String> reply = Peering.send(http, request).get();
                if (reply.statusCode() == 409) {
                    throw new NodeRefusal(reply.body().strip());
                }
                if (reply.statusCode() == 200) {
                    return true;
                }
            } catch (ExecutionException notThisOne) {
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
