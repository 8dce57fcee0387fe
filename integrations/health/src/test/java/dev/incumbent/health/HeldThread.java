package dev.incumbent.health;

import java.util.ArrayDeque;
import java.util.Queue;

/** The thread of a check, played by the test: questions run at once, or wait while it hangs. */
final class HeldThread implements CheckThread {
    boolean hangs;
    boolean isGone;
    int interrupts;
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    @Override
    public void run(Runnable question) {
        if (isGone) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        if (hangs) {
            waiting.add(question);
        } else {
            question.run();
        }
    }

    /** The questions that it hangs in. */
    int waiting() {
        return waiting.size();
    }

    /** It goes on. */
    void goOn() {
        hangs = false;
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }

    @Override
    public void interrupt() {
        interrupts++;
    }

    @Override
    public void close() {
        interrupts++;
    }
}
