package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.ElectionListener;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.SessionEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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

    /** What an answer took on its way may be time that the coordinator has counted already. */
    @Test
    void aLeaseIsAsOldAsTheRequestForItHoweverLateItsAnswer() {
        Late late = new Late();
        SessionDriver session = new SessionDriver(
                platform.strand(() -> {}, Trace.NONE),
                ports(late),
                new CandidateId("a"),
                OneProcess.TIMING,
                new Unproved());

        session.post(new SessionEvent.Opened());
        platform.pass(OneProcess.TIMING.lease().multipliedBy(2));

        assertThat(told)
                .filteredOn(Event.LeaseGranted.class::isInstance)
                .extracting(one -> ((Event.LeaseGranted) one).sentAtNanos())
                .containsExactlyElementsOf(late.grants);
        List<Long> renewed = told.stream()
                .filter(Event.LeaseRenewed.class::isInstance)
                .map(one -> ((Event.LeaseRenewed) one).sentAtNanos())
                .toList();
        assertThat(renewed).hasSizeGreaterThan(2).isEqualTo(late.keepAlives.subList(0, renewed.size()));
    }

    /** A coordinator whose answers take half as long as they may; and when it was asked. */
    private final class Late extends ForwardingCoordinator {
        private final List<Long> grants = new ArrayList<>();
        private final List<Long> keepAlives = new ArrayList<>();

        Late() {
            super(coordinator);
        }

        @Override
        public CompletionStage<GrantedLease> grant(CandidateId owner, Duration length) {
            grants.add(platform.time.nanos());
            return late(inner().grant(owner, length));
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            keepAlives.add(platform.time.nanos());
            return late(inner().keepAlive(lease));
        }

        private <T> CompletionStage<T> late(CompletionStage<T> answer) {
            CompletableFuture<Boolean> arrives = new CompletableFuture<>();
            long after = OneProcess.TIMING.requestTimeout().dividedBy(2).toNanos();
            platform.time.at(platform.time.nanos() + after, () -> arrives.complete(true));
            return arrives.thenCombine(answer, (arrived, value) -> value);
        }
    }

    private Ports ports() {
        return ports(coordinator);
    }

    private Ports ports(Coordinator asked) {
        LeaseClock clock = new LeaseClock(platform.time);
        Trace trace = new Trace() {
            @Override
            public void failed(String what, Throwable failure) {
                failures.add(what + ": " + Calls.why(failure));
            }
        };
        Teller teller = new Teller(ElectionListener.NONE, platform, clock, trace);
        return new Ports(
                asked,
                platform,
                clock,
                trace,
                teller,
                new Wakes(platform.time),
                new Wakes(platform.stops()),
                new Spread(false));
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
        public SessionTroubles troubles() {
            return new SessionTroubles(ports().teller(), List.of());
        }
    }
}
