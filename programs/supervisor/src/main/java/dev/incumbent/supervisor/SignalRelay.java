package dev.incumbent.supervisor;

import java.util.function.IntConsumer;

/**
 * What a signal sent to the wrapper does: TERM stops the command and a second one kills it; every other is passed on.
 * Before the command is started a signal ends the wrapper. Thread-safe.
 */
public final class SignalRelay implements IntConsumer {
    /** SIGINT's number, on every Linux. */
    public static final int INT = 2;

    /** SIGKILL's number, on every Linux. */
    public static final int KILL = 9;

    /** SIGTERM's number, on every Linux. */
    public static final int TERM = 15;

    static final int CONT = 18;

    /** What the relay decides, to be done at once. */
    public interface Target {
        /** Whether the command was started, so that a signal is its own. */
        boolean isStarted();

        /** End without having started the command. */
        void endBeforeStart(int signal);

        /** Stop the command by this signal, and see it gone. */
        void stop(int signal);

        /** Kill the command and all it started. */
        void kill();

        /** Pass the signal on to the command. */
        void pass(int signal);
    }

    private final Target target;
    private boolean asked;

    public SignalRelay(Target target) {
        this.target = target;
    }

    @Override
    public synchronized void accept(int signal) {
        if (!target.isStarted()) {
            if (signal != CONT) {
                target.endBeforeStart(signal);
            }
        } else if (signal != TERM) {
            target.pass(signal);
        } else if (asked) {
            target.kill();
        } else {
            asked = true;
            target.stop(signal);
        }
    }
}
