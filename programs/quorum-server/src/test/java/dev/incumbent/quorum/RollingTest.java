package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.QuorumCluster.Node;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Three nodes of the last build without levels become nodes of this one, one after the other, under five candidates and a writer; and back, as long as the level
 * has not risen. {@code scripts/accept-rolling} builds the old one and names its launcher.
 */
@Tag("realtime")
@EnabledIfSystemProperty(named = "rolling.old", matches = ".+", disabledReason = "scripts/accept-rolling runs it")
final class RollingTest {
    private static final List<String> OLD = List.of(System.getProperty("rolling.old", ""));
    private static final Duration HELD_BACK = Duration.ofSeconds(8);

    private final QuorumCluster cluster =
            QuorumCluster.start(3, OLD, "--snapshot-every", "50", "--election-timeout", ServerMain.PATIENT);
    private final States states = new States(cluster);
    private final Campaigns campaigns = Campaigns.start(cluster.uri(), 5);

    @AfterEach
    void end() throws Exception {
        campaigns.end();
        cluster.close();
    }

    @Test
    void aRollingUpgradeLosesNothingAndAfterItTheOldBuildIsRefused() throws Exception {
        say(campaigns.progress("old nodes"));
        List<Node> nodes = cluster.nodes();

        become(nodes.get(0), ServerMain.command());
        become(nodes.get(1), ServerMain.command());
        say(campaigns.progress("two new nodes"));
        stayAtLevelZero(nodes.subList(0, 2));
        become(nodes.get(1), OLD);
        become(nodes.get(0), OLD);
        say(campaigns.progress("old nodes again"));

        for (Node node : nodes) {
            become(node, ServerMain.command());
        }
        nodes.forEach(node -> Waiting.until("level 1 of " + node.name(), () -> isAtLevelOne(node)));
        say("all nodes are at level 1");
        say(campaigns.progress("new nodes"));
        refuseTheOldBuild(nodes.get(2));
        say(campaigns.progress("after refusals"));

        assertThat(campaigns.lost()).as("acknowledged changes that were lost").isEmpty();
        assertThat(campaigns.wrong()).as("what no two terms may do").isEmpty();
        endInOneState();
    }

    private void refuseTheOldBuild(Node node) {
        node.process().stop();
        cluster.launch(node, OLD);
        Waiting.until("the end of the old build", () -> !node.isRunning());
        assertThat(node.process().logTail())
                .contains("belongs to node n3 at level 1, which needs a newer build, not to n3");
        cluster.launch(node, OLD, "--rejoin");
        Waiting.until("its waiting", () -> node.process().logTail().contains("waits to be taken in"));
        assertThat(Waiting.within(HELD_BACK, () -> node.process().logTail().contains("was taken in")))
                .as("an old build became a voter")
                .isFalse();
        node.process().stop();
        say("the old build was refused, and was not taken in");
        cluster.launch(node, ServerMain.command(), "--rejoin");
        Waiting.until("its coming back", () -> node.process().logTail().contains("was taken in"));
        become(node, ServerMain.command());
    }

    private void stayAtLevelZero(List<Node> upgraded) throws IOException {
        assertThat(Waiting.within(HELD_BACK, () -> upgraded.stream().anyMatch(this::isAtLevelOne)))
                .as("the level rose over an old node")
                .isFalse();
        for (Node node : upgraded) {
            assertThat(cluster.status(node)).contains("\"level\":0,\"supports\":1");
            assertThat(Files.readAllLines(node.data().resolve("marker")).get(0))
                    .startsWith("SELF\t" + node.name() + "\t");
        }
        say("the level is still 0");
    }

    private boolean isAtLevelOne(Node node) {
        return cluster.status(node).contains("\"level\":1");
    }

    /** Stops it in good order, starts it with that build, and waits until it has caught up with the others. */
    private void become(Node node, List<String> build) {
        node.process().stop();
        cluster.launch(node, build);
        states.awaitCaughtUp(node);
        say(node.name() + " runs the " + (build.equals(OLD) ? "old" : "new") + " build");
    }

    /** Each node is asked while it leads, which it answers from its own table. */
    private void endInOneState() throws Exception {
        campaigns.end();

        List<String> all = states.afterQuiet(Campaigns.TIMING.lease().multipliedBy(2));

        String first = all.get(0);
        assertThat(first).contains("\t" + campaigns.office() + "\t");
        assertThat(all).allSatisfy(state -> assertThat(state).isEqualTo(first));
        say("all members end in one state of " + first.length() + " characters");
    }

    private void say(String what) {
        System.out.println("rolling: " + what);
    }
}
