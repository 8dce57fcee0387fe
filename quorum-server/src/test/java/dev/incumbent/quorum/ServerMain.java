package dev.incumbent.quorum;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** One node as a process of its own, told by the flags of the verb {@code server}. */
final class ServerMain {
    private ServerMain() {}

    /** What starts it, on this JVM's class path; a quorum's node gets along with this heap. */
    static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ServerMain.class.getName());
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        List<Member> members = new ArrayList<>();
        String name = "";
        Path data = Path.of("");
        Optional<String> token = Optional.empty();
        long snapshotEvery = NodeSettings.SNAPSHOT_EVERY;
        for (int i = 1; i < args.length; i += 2) {
            switch (args[i]) {
                case "--name" -> name = args[i + 1];
                case "--member" -> members.add(Member.of(args[i + 1]));
                case "--data" -> data = Path.of(args[i + 1]);
                case "--token-file" -> token = Optional.of(Files.readString(Path.of(args[i + 1])).strip());
                case "--snapshot-every" -> snapshotEvery = Long.parseLong(args[i + 1]);
                default -> throw new IllegalArgumentException(args[i]);
            }
        }
        try (QuorumNode node = QuorumNode.start(new NodeSettings(members, name, data, token, snapshotEvery))) {
            new CountDownLatch(1).await();
        }
    }
}
