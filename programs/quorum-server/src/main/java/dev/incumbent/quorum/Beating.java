package dev.incumbent.quorum;

import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;

/** A node's beats, each of which makes its marker younger: run on a thread of their own until that is interrupted. */
final class Beating implements Runnable {
    private static final Duration BEAT = Duration.ofSeconds(5);

    private final String node;
    private final Peers peers;
    private final Consumer<String> says;
    private String told = "";

    Beating(String node, Peers peers, Consumer<String> says) {
        this.node = node;
        this.peers = peers;
        this.says = says;
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
    }

    private String hindrance() {
        try {
            peers.beat();
            return "";
        } catch (NodeRefusal refused) {
            return String.valueOf(refused.getMessage());
        } catch (IOException e) {
            return "the marker of node " + node + " cannot be written: " + e;
        }
    }
}
