package dev.incumbent.internal;

import dev.incumbent.FenceAgent;
import dev.incumbent.Stonith;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.protocol.Event;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Has one holder turned off by the user's fence agent. An agent that has not answered when the guard ends has failed. */
final class HolderFencing implements FenceAgent.Window {
    private final Ports ports;
    private final Holder holder;
    private final Stonith how;
    private final long untilNanos;

    HolderFencing(Ports ports, Holder holder, Stonith how, long untilNanos) {
        this.ports = ports;
        this.holder = holder;
        this.how = how;
        this.untilNanos = untilNanos;
    }

    /** Asks the agent, and tells once how it went, on any thread. */
    void begin(String by, Consumer<Event> told) {
        Answer answer = new Answer(told);
        if (!isOpen()) {
            answer.failed("the guard does not hold any more for the "
                    + how.bound().toMillis() + " ms that the fence agent may take");
            return;
        }
        ports.timeline()
                .at(
                        ports.clock().onTimeline(untilNanos),
                        () -> answer.failed("the fence agent has not answered within "
                                + how.bound().toMillis() + " ms"));
        CompletionStage<HolderProof.Kind> proof = Calls.of(() -> how.agent().turnOff(holder, this));
        proof.whenComplete((kind, failure) -> {
            if (failure != null) {
                answer.failed(Calls.why(failure));
            } else {
                Objects.requireNonNull(kind, "a fence agent told null instead of a proof");
                String why = kind + " within " + how.bound().toMillis() + " ms";
                answer.told(new Event.HolderFenced(
                        holder.term(),
                        new HolderProof(kind, by, why, ports.clock().moment().wall())));
            }
        });
    }

    @Override
    public Duration bound() {
        return how.bound();
    }

    @Override
    public boolean isOpen() {
        return ports.clock().nanos() + how.bound().toNanos() <= untilNanos;
    }

    /** The first of agent and alarm. */
    private final class Answer {
        private final Consumer<Event> told;
        private boolean isTold;

        Answer(Consumer<Event> told) {
            this.told = told;
        }

        void failed(String why) {
            told(new Event.HolderUnfenced(holder.term(), why));
        }

        synchronized void told(Event event) {
            if (!isTold) {
                isTold = true;
                told.accept(event);
            }
        }
    }
}
