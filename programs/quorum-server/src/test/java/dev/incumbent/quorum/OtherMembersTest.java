package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.QuorumServers;
import dev.incumbent.coordinator.quorum.QuorumServers.Changed;
import dev.incumbent.servers.QuorumCluster;
import dev.incumbent.servers.QuorumCluster.Node;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Under five candidates and a writer three nodes become five, of which two are killed; one of them comes back at another address, with an empty disk; and five
 * become three, without the one that leads. {@code scripts/accept-members} runs it on the launcher's nodes.
 */
@EnabledIfSystemProperty(named = "members.command", matches = ".+", disabledReason = "scripts/accept-members runs it")
final class OtherMembersTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final QuorumCluster cluster = QuorumCluster.start(
            3,
            List.of(System.getProperty("members.command", "")),
            "--snapshot-every",
            "50",
            "--election-timeout",
            ServerMain.PATIENT);
    private final States states = new States(cluster);
    private final Campaigns campaigns = Campaigns.start(cluster.uri(), 5);
    private final SystemTimeline time = new SystemTimeline();
    private final QuorumServers servers = QuorumServers.of(cluster.uri(), time);

    @AfterEach
    void end() throws Exception {
        campaigns.end();
        cluster.close();
        time.close();
    }

    @Test
    void membersChangeUnderCandidatesAndNothingIsLost() throws Exception {
        say(campaigns.progress("three members"));
        cluster.join("n4", "n5");
        change("five members");

        List<Node> killed = List.of(cluster.leader(), cluster.nodes().get(4));
        killed.forEach(node -> node.process().kill());
        say(campaigns.progress("five members, two of them killed: "
                + killed.stream().map(Node::name).toList()));

        Node gone = killed.get(0);
        cluster.launch(killed.get(1));
        states.awaitCaughtUp(killed.get(1));
        Node moved = cluster.join(gone.name()).get(0);
        change(moved.name() + " at another address");
        say(campaigns.progress("with the one that moved"));

        Node leader = cluster.leader();
        Node other = cluster.nodes().stream()
                .filter(node -> node != leader && node != moved)
                .findFirst()
                .orElseThrow();
        cluster.leaveOut(leader);
        cluster.leaveOut(other);
        change("three members, without " + leader.name() + ", which led, and " + other.name());
        for (Node out : List.of(leader, other)) {
            Waiting.until("the end of " + out.name(), () -> !out.isRunning());
            assertThat(out.process().logTail()).contains("it is none of the quorum's members any more");
        }
        say(campaigns.progress("three members again"));

        assertThat(campaigns.lost()).as("acknowledged changes that were lost").isEmpty();
        assertThat(campaigns.wrong()).as("what no two terms may do").isEmpty();
        campaigns.end();
        List<String> all = states.afterQuiet(Campaigns.TIMING.lease().multipliedBy(2));
        assertThat(all.get(0)).contains("\t" + campaigns.office() + "\t");
        assertThat(all).allSatisfy(state -> assertThat(state).isEqualTo(all.get(0)));
        say("all members end in one state of " + all.get(0).length() + " characters");
    }

    /** New nodes may not listen yet, and the level may still rise. */
    private void change(String what) {
        Waiting.until(what, () -> {
            Changed changed = servers.change(cluster.members(), PATIENCE);
            if (changed instanceof Changed.Refused refused) {
                say("refused: " + refused.why());
                LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
            }
            return changed instanceof Changed.Done;
        });
        say("changed to " + what);
        say(campaigns.progress(what));
    }

    private static void say(String what) {
        System.out.println("members: " + what);
    }
}
