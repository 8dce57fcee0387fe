package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Passes calls on to the node that leads, so that a client needs to reach one node, and not that one. Thread-safe. */
final class Forwarder {
    /** Calls that a node passes on to the leader, once: as {@link Words#CALLS}, with the token of a node. */
    static final String PASSED_ON = "/v1/passed-on";

    /** What builds before {@link #PASSED_ON} know such calls by: a header of a client's calls. */
    static final String OLDER_MARK = "Incumbent-Passed-On";

    private static final int NOTHING_THERE = 404;

    private final Supplier<List<Member>> members;
    private final Peering peering;
    private final HttpClient http;

    Forwarder(Supplier<List<Member>> members, Peering peering) {
        this.members = members;
        this.peering = peering;
        this.http = peering.client();
    }

    /** The answers to those calls, one each; where they were sent and there is none, each is uncertain. */
    CompletableFuture<List<String>> forward(String leader, List<String> calls, long withinMillis) {
        Optional<Member> to = members.get().stream()
                .filter(member -> member.name().equals(leader))
                .findFirst();
        if (to.isEmpty()) {
            return CompletableFuture.completedFuture(all(calls, Words.LATER, "nobody leads now"));
        }
        return send(request(to.get(), PASSED_ON, calls, withinMillis).build())
                .thenCompose(reply -> reply.statusCode() == NOTHING_THERE
                        ? send(request(to.get(), Words.CALLS, calls, withinMillis)
                                .header(OLDER_MARK, "true")
                                .build())
                        : CompletableFuture.completedFuture(reply))
                .handle((reply, failure) -> reply != null ? answers(calls, reply) : unanswered(calls, failure));
    }

    private HttpRequest.Builder request(Member to, String path, List<String> calls, long withinMillis) {
        return peering.request(to, path)
                .timeout(Duration.ofMillis(withinMillis))
                .header(Words.WITHIN_HEADER, Long.toString(withinMillis))
                .POST(HttpRequest.BodyPublishers.ofString(Line.body(calls)));
    }

    private CompletableFuture<HttpResponse<String>> send(HttpRequest request) {
        return Peering.send(http, request);
    }

    private static List<String> answers(List<String> calls, HttpResponse<String> reply) {
        List<String> answers = Line.lines(reply.body());
        if (reply.statusCode() == 200 && answers.size() == calls.size()) {
            return answers;
        }
        String word = reply.statusCode() == 200 ? Words.UNCERTAIN : Words.LATER;
        return all(calls, word, "the leader answered HTTP " + reply.statusCode());
    }

    private static List<String> unanswered(List<String> calls, Throwable failure) {
        Throwable why =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean notSent = why instanceof ConnectException || why instanceof HttpConnectTimeoutException;
        return all(calls, notSent ? Words.LATER : Words.UNCERTAIN, "the leader did not answer: " + why);
    }

    private static List<String> all(List<String> calls, String word, String why) {
        return calls.stream().map(call -> Line.of(word, why)).toList();
    }
}
