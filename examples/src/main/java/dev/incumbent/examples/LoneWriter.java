package dev.incumbent.examples;

import dev.incumbent.Election;
import dev.incumbent.ElectionAdmin;
import dev.incumbent.FenceAgent;
import dev.incumbent.Stonith;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.outcome.HolderConfirmation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Writes to a disk that takes the writes of anybody: whoever may still write there is turned off before the next one begins. */
public final class LoneWriter {
    private static final Duration BOUND = Duration.ofSeconds(5);

    private LoneWriter() {}

    /** The power switch of the machines, by their names. Its calls end within five seconds, be it with an exception. */
    public interface PowerSwitch {
        void turnOff(String node);

        boolean isOff(String node);
    }

    /** The election, where this process on this machine leads only once all before it are off. */
    public static Election alone(Election election, NodeBoot here, PowerSwitch power, Executor threads) {
        return election.withStonith(new Stonith(here, BOUND, agent(power, threads)));
    }

    private static FenceAgent agent(PowerSwitch power, Executor threads) {
        return (holder, window) -> turnedOff(holder.on().node(), power, window, threads);
    }

    private static CompletionStage<HolderProof.Kind> turnedOff(
            String node, PowerSwitch power, FenceAgent.Window window, Executor threads) {
        return CompletableFuture.supplyAsync(
                () -> {
                    if (!window.isOpen()) {
                        throw new IllegalStateException("it is too late to turn " + node + " off");
                    }
                    power.turnOff(node);
                    if (!power.isOff(node)) {
                        throw new IllegalStateException(node + " was told to turn off, and is on");
                    }
                    return HolderProof.Kind.OFF;
                },
                threads);
    }

    /** A person has pulled the plug of that node. Tells who may still act, if it is not the one who was meant. */
    public static List<Holder> unplugged(ElectionAdmin admin, String node, long term) {
        HolderConfirmation said = admin.confirmHolder(node, term, "its plug was pulled")
                .toCompletableFuture()
                .join();
        return said instanceof HolderConfirmation.NotListed other
                ? other.listed().all()
                : List.of();
    }
}
