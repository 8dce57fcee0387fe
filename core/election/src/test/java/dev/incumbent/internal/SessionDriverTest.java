package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.ElectionListener;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.CandidateId;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.SessionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionDriverTest {
    private final OneThread platform = new OneThread();
    private final Coordinator coordinator =
            MemoryCoordinator.connect(new MemoryStore(platform.time), platform.time, OneProcess.CALL);
    private final List<String> failures = new ArrayList<>();
    private final List<Event> told = new ArrayList<>();

    @Test
    void anEffectThatThrowsIsTracedAndTakesNoOtherWithIt() {
        Strand loop = platform.strand(() -> {}, Trace.NONE);
        SessionDriver session =
                new SessionDriver(loop, ports(), new CandidateId("a"), OneProcess.TIMING, new Unproved());

        session.post(new SessionEvent.Opened());
        platform.pass(OneProcess.TIMING.lease().multipliedBy(2));

        assertThat(failures).isNotEmpty().allMatch("the session's ReadProofs[]: no proofs today"::equals);
        assertThat(told)
                .filteredOn(Event.LeaseRenewed.class::isInstance)
                .as("it goes on")
                .hasSizeGreaterThan(2);
    }

    private Ports ports() {
        LeaseClock clock = new LeaseClock(platform.time);
        Trace trace = new Trace() {
            @Override
            public void failed(String what, Throwable failure) {
                failures.add(what + ": " + Calls.why(failure));
            }
        };
        Teller teller = new Teller(ElectionListener.NONE, platform, clock, trace);
        return new Ports(
                coordinator, platform, clock, trace, teller, new Wakes(platform.time), new Wakes(platform.stops()));
    }

    private final class Unproved implements SessionDriver.Listener {
        @Override
        public void tellElections(Event event) {
            told.add(event);
        }

        @Override
        public void readProofs() {
            throw new IllegalStateException("no proofs today");
        }

        @Override
        public void timingRefused(String why) {}

        @Override
        public void sessionTrouble(Optional<String> why) {}
    }
}
