package dev.incumbent.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the demo asks of a worker, a word a line on standard input: {@code hold} after the next check, and {@code go} on.
 *
 * <p>Its end is the end of the demo, and of this process. Heard on a thread of its own.
 */
final class Script {
    private final AtomicBoolean holding = new AtomicBoolean();
    private final Semaphore go = new Semaphore(0);
    private final BufferedReader words;

    private Script(InputStream in) {
        words = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    static Script heardFrom(InputStream in) {
        Script script = new Script(in);
        Thread hearing = new Thread(script::hear, "demo-script");
        hearing.setDaemon(true);
        hearing.start();
        return script;
    }

    /**
     * Stands still if it was asked to, as a long pause between two instructions would: no interrupt, no lost lease and no renewal ends it, for what it stands
     * between does not look again.
     */
    void standStillIfAsked(Runnable telling) {
        if (holding.compareAndSet(true, false)) {
            telling.run();
            go.acquireUninterruptibly();
        }
    }

    private void hear() {
        try {
            for (String word = words.readLine(); word != null; word = words.readLine()) {
                if (word.equals("hold")) {
                    holding.set(true);
                } else {
                    go.release();
                }
            }
        } catch (IOException theSame) {
            // The demo is gone, as at the end.
        }
        Runtime.getRuntime().halt(0);
    }
}
