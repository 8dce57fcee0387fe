package dev.incumbent.benchmarks.many;

import dev.incumbent.quorum.Member;
import dev.incumbent.quorum.NodeSettings;
import dev.incumbent.quorum.QuorumNode;
import dev.incumbent.quorum.Tokens;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** One node of a quorum as a process of its own, by the flags of the verb {@code server}. */
final class QuorumNodeMain {
    /** Nodes that share two processors with all that they serve do not take turns at leading. */
    private static final Duration PATIENT = Duration.ofSeconds(1);

    private QuorumNodeMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        List<Member> members = new ArrayList<>();
        String name = "";
        Path data = Path.of("");
        for (int i = 1; i + 1 < args.length; i += 2) {
            switch (args[i]) {
                case "--name" -> name = args[i + 1];
                case "--member" -> members.add(Member.of(args[i + 1]));
                case "--data" -> data = Path.of(args[i + 1]);
                default -> throw new IllegalArgumentException(args[i]);
            }
        }
        NodeSettings settings = new NodeSettings(
                members,
                name,
                data,
                Tokens.none(),
                Optional.empty(),
                NodeSettings.Coming.AS_IT_IS,
                PATIENT,
                NodeSettings.SNAPSHOT_EVERY);
        QuorumNode node = QuorumNode.start(settings, System.out::println);
        new CountDownLatch(1).await();
        node.close();
    }
}
