package dev.incumbent.examples;

import dev.incumbent.Leadership;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;

/** What to do where a sink refuses. */
public final class RefusedWrites {
    private RefusedWrites() {}

    /** One write to a fenced sink. */
    @FunctionalInterface
    public interface Write {
        void run() throws FenceException;
    }

    /** Writes, once more where the sink said nothing of the token; false where another leads. */
    public static boolean written(Leadership leadership, Write write) throws FenceException {
        for (int tries = 2; ; tries--) {
            try {
                write.run();
                return true;
            } catch (StaleTokenException another) {
                leadership.reportStale(another); // this term ends
                return false;
            } catch (NotAdmittedException silent) {
                if (tries == 1 || !leadership.holds()) {
                    throw silent;
                }
            } catch (NotRaisedException wrong) {
                throw wrong; // guarding(sink) is missing, or the sink went back to a backup
            } catch (NoTransactionException bug) {
                throw bug; // admit and write belong into one transaction
            }
        }
    }
}
