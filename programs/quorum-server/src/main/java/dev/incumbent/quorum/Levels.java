package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.quorum.Ascent.Report;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** What nodes tell each other of levels over HTTP: which one this start of the process supports, and which one its disk is bound to. Thread-safe. */
final class Levels {
    static final String PATH = "/v1/level";
    private static final String BIND = "BIND";
    private static final String REPORT = "LEVEL";
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Peers peers;
    private final Peering peering;
    private final HttpClient http;
    private final String start = UUID.randomUUID().toString();

    Levels(Peers peers, Peering peering) {
        this.peers = peers;
        this.peering = peering;
        this.http = peering.client();
    }

    /** This node's own. */
    Report own() {
        Marker marker = peers.marker();
        return new Report(Replica.Peer.id(marker.member(), marker.disk()), start, Entry.SUPPORTED, marker.level());
    }

    /** Binds this node's disk to a level that it supports, durably, if it is meant. */
    Report bind(Report whose, int level) throws IOException {
        if (whose.start().equals(start) && level <= Entry.SUPPORTED) {
            peers.change(mine -> mine.boundTo(level));
        }
        return own();
    }

    /** The answer to who asks: this node's report, once it did as it was told. */
    String answer(String body) throws IOException {
        List<String> fields = Line.fields(body.strip());
        Report told = fields.get(0).equals(BIND)
                ? bind(new Report("", fields.get(1), 0, 0), Integer.parseInt(fields.get(2)))
                : own();
        return Line.of(
                REPORT, told.voter(), told.start(), Integer.toString(told.supports()), Integer.toString(told.bound()));
    }

    /** What a member reports now; empty where it does not answer, or knows no levels. */
    CompletableFuture<Optional<Report>> ask(Member member) {
        return send(member, "");
    }

    /** The same, once that start of its process has bound its disk. */
    CompletableFuture<Optional<Report>> askToBind(Member member, Report whose, int level) {
        return send(member, Line.of(BIND, whose.start(), Integer.toString(level)));
    }

    private CompletableFuture<Optional<Report>> send(Member member, String body) {
        HttpRequest request = peering.request(member, PATH)
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return Peering.send(http, request)
                .handle((reply, failure) ->
                        reply != null && reply.statusCode() == 200 ? report(reply.body()) : Optional.<Report>empty());
    }

    private static Optional<Report> report(String body) {
        List<String> fields = Line.fields(body);
        if (fields.size() < 5 || !fields.get(0).equals(REPORT)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Report(
                    fields.get(1), fields.get(2), Integer.parseInt(fields.get(3)), Integer.parseInt(fields.get(4))));
        } catch (NumberFormatException notUnderstood) {
            return Optional.empty();
        }
    }
}
