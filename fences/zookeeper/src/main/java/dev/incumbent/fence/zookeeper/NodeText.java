package dev.incumbent.fence.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;

/** What a node holds, as text, asked for without waiting for the answer. */
final class NodeText {
    private NodeText() {}

    /** Completes on the client's thread; empty where there is no such node. */
    static CompletableFuture<Optional<String>> ask(ZooKeeper client, String path) {
        CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
        client.getData(
                path,
                false,
                (result, asked, context, data, stat) -> {
                    switch (Code.get(result)) {
                        case OK -> answer.complete(Optional.of(of(data)));
                        case NONODE -> answer.complete(Optional.empty());
                        default -> answer.completeExceptionally(KeeperException.create(Code.get(result), asked));
                    }
                },
                null);
        return answer;
    }

    /** The client answers every question, at the latest when its connection ends. */
    static Optional<String> await(CompletableFuture<Optional<String>> answer)
            throws KeeperException, InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KeeperException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(e);
        }
    }

    /** A node may hold nothing at all. */
    static String of(byte @Nullable [] data) {
        return data == null ? "" : new String(data, StandardCharsets.UTF_8);
    }
}
