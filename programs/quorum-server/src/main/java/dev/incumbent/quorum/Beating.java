package dev.incumbent.quorum;

import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.function.Consumer;

/** A node's beats, each of which makes its marker younger: run on a thread of their own until that is interrupted. */
final class Beating implements Runnable {
    private static final Duration BEAT = Duration.ofSeconds(5);

    private final String node;
    private final Peers peers;
    private final Consumer<String> says;
    private final Runnable afterwards;
    private String told = "";

    /** {@code afterwards} follows each beat, which may have told this node something. */
    Beating(String node, Peers peers, Consumer<String> says, Runnable afterwards) {
        this.node = node;
        this.peers = peers;
        this.says = says;
        this.afterwards = afterwards;
    }

    @Override
    public void run() {
        try {
            while (true) {
                SystemTimeline.sleep(BEAT);
                beat();
            }
        } catch (InterruptedException end) {
            // The node is closed.
        }
    }

    /** One beat. What hinders it is told once, and once more that nothing does any longer. */
    void beat() {
        String hindrance = hindrance();
        if (!hindrance.equals(told)) {
            says.accept(hindrance.isEmpty() ? "the marker of node " + node + " is written again" : hindrance);
            told = hindrance;
        }
        afterwards.run();
    }

    private String hindrance() {
        try {
            peers.beat();
            return "";
        } catch (NodeRefusal refused) {
            return String.valueOf(refused.getMessage());
        } catch (ClosedByInterruptException end) {
            return told; // the node is closed
        } catch (IOException e) {
            return "the marker of node " + node + " cannot be written: " + e;
        }
    }
}
