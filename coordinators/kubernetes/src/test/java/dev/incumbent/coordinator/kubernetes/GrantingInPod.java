package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.CandidateId;
import dev.incumbent.time.SystemTimeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/** A program in a pod, whose URI says nothing: for each line of input it asks for a lease, and prints what came of it in a line. */
public final class GrantingInPod {
    private GrantingInPod() {}

    public static void main(String[] unused) throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                Coordinator client = new KubernetesCoordinatorProvider()
                        .open("kubernetes:///", timeline, Duration.ofSeconds(20), Mode.CREATE);
                BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            while (asked.readLine() != null) {
                System.out.println(granted(client));
            }
        }
    }

    private static String granted(Coordinator client) {
        try {
            return "granted "
                    + client.grant(new CandidateId("ada"), Duration.ofSeconds(10))
                            .toCompletableFuture()
                            .join()
                            .id();
        } catch (CompletionException refused) {
            return String.valueOf(refused.getMessage()).replace('\n', ' ');
        }
    }
}
