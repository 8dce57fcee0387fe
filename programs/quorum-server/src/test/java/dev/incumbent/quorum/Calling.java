package dev.incumbent.quorum;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.QuorumCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Calls of clients, and of foreign programs, waited for. */
final class Calling {
    private Calling() {}

    static <T> T joined(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof CoordinatorException known ? known : e;
        }
    }

    /** A vacant record of that term. */
    static LeaderRecord record(long term) {
        return LeaderRecord.EMPTY
                .vacated(term, Instant.EPOCH)
                .written(UUID.randomUUID().toString());
    }

    /** Swaps a record into an election that has none. */
    static Swap created(Coordinator client, ElectionName election) {
        return joined(client.swap(election, Revision.ABSENT, record(1)));
    }

    /** ABSENT where there is no record. */
    static Revision found(Coordinator client, ElectionName election) {
        Reading reading = joined(client.read(Set.of(election))).getOrDefault(election, new Reading.Unread("not told"));
        return reading instanceof Reading.Found found ? found.record().revision() : Revision.ABSENT;
    }

    /** What a node that asks for no token answers to one call. */
    static String post(QuorumCluster.Node to, String call) {
        return post(to.port(), Words.CALLS, Line.body(List.of(call)), Optional.empty())
                .body();
    }

    /** What a POST to a node is answered. */
    static HttpResponse<String> post(int port, String path, String body, Optional<String> token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .POST(HttpRequest.BodyPublishers.ofString(body));
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        try {
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .build()
                    .send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
