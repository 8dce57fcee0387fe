package dev.incumbent;

import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Turns off the machine of a process that may still act, or shows otherwise that this process acts no more: STONITH, for sinks that no fence closes.
 *
 * <p>Called on the thread that renews leases, so it must not block. The machine that it turns off may lead other elections, too.
 */
@FunctionalInterface
public interface FenceAgent {
    /**
     * Shows that this holder acts no more. The stage completes with what showed it: {@link HolderProof.Kind#OFF} only after the machine was seen off, {@link HolderProof.Kind#ABSENT} where its
     * process is no more in that boot of this same machine, {@link HolderProof.Kind#REBOOTED} where its machine was seen with another boot id. It fails if nothing has shown that; no answer in
     * time is a failure.
     *
     * <p>Asks {@link Window#isOpen} just before it begins anything that may turn a machine off. Whatever it has begun has ended when the stage completes, and at the latest after {@link
     * Window#bound}, be it by a kill: later, it might turn off a leader that came after. What runs in a process of its own must also end by a clock of its own, since this process may stand still or die meanwhile.
     */
    CompletionStage<HolderProof.Kind> turnOff(Holder holder, Window window);

    /** The time in which an agent may act. Thread-safe. */
    interface Window {
        /** How long the agent may take from when it begins. */
        Duration bound();

        /** Does this process's guard hold for all of that time, if the agent begins now? */
        boolean isOpen();
    }
}
