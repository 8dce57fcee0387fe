package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sites that are cut off from the centre, from their own coordinator, or from both, which to the others is the loss of the site. */
@Tag("realtime")
@Timeout(60)
class LostSiteTest {
    private static final Timing SHORT = Timing.ofLease(Duration.ofSeconds(3));
    private static final Timing LONG = Timing.ofLease(Duration.ofSeconds(15));

    /** Of a busy machine. */
    private static final Duration SLACK = Duration.ofSeconds(3);

    private final SystemTimeline time = new SystemTimeline();
    private final MemoryStore centre = new MemoryStore(time);
    private final MemoryStore north = new MemoryStore(time);
    private final MemoryStore south = new MemoryStore(time);
    private final BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> stopped = new LinkedBlockingQueue<>();

    /** One process, with a wire to each coordinator. */
    private final class Member implements AutoCloseable {
        private final FaultyWire toSite = new FaultyWire();
        private final FaultyWire toCentre = new FaultyWire();
        private final Elections atSite;
        private final Elections atCentre;
        private final Candidacy candidacy;

        Member(String name, MemoryStore site, Timing atTheCentre) {
            atSite = elections(name, site, toSite, SHORT);
            atCentre = elections(name, centre, toCentre, atTheCentre);
            candidacy = atSite.election("site").campaign(new SiteStanding(atCentre, "billing", leadership -> {
                begun.add(leadership);
                try {
                    new CountDownLatch(1).await();
                } finally {
                    stopped.add(name);
                }
            }));
        }

        void isCutOff() {
            toSite.suffer(FaultyWire.Fault.SILENT);
            toCentre.suffer(FaultyWire.Fault.SILENT);
        }

        @Override
        public void close() {
            candidacy.close();
            atSite.close();
            atCentre.close();
        }
    }

    @AfterEach
    void stopTheClocks() {
        time.close();
    }

    @Test
    void aSiteThatIsCutOffFromTheCentreKeepsItsLeaderAndDoesNotWinAtTheCentre() throws Exception {
        try (Member ann = new Member("ann", north, SHORT);
                Member ben = new Member("ben", north, SHORT)) {
            Leadership first = begun.take();
            String leader = first.term().leader().name();
            long siteTerm = found(north, "site").record().term();
            try (Member sue = new Member("sue", south, SHORT)) {
                ann.toCentre.suffer(FaultyWire.Fault.SILENT);
                ben.toCentre.suffer(FaultyWire.Fault.SILENT);

                assertThat(begun.take().term().leader().name()).isEqualTo("sue");

                assertThat(first.holds()).isFalse();
                assertThat(stopped.take()).isEqualTo(leader);
                assertThat(sue.atCentre.candidate().name()).isEqualTo("sue");
            }
            assertThat(stopped.take()).isEqualTo("sue");
            ObservedRecord site = found(north, "site");
            assertThat(site.record().term()).isEqualTo(siteTerm);
            assertThat(site.record().leader().orElseThrow().name()).isEqualTo(leader);
            assertThat(site.leaseAlive()).isTrue();
            assertThat(found(centre, "billing").record().leader())
                    .as("the centre, where nobody can win")
                    .isEmpty();
            assertThat(begun).isEmpty();

            ann.toCentre.heal();
            ben.toCentre.heal();

            assertThat(begun.take().term().leader().name()).isEqualTo(leader);
        }
    }

    /** Its lease at the centre is five times as long, and so ends long after the job. */
    @Test
    void whoLosesItsSitesLeaseStopsThoughItsTermAtTheCentreStands() throws Exception {
        try (Member ann = new Member("ann", north, LONG)) {
            Leadership first = begun.take();
            try (Member sue = new Member("sue", south, LONG)) {
                long cutAt = time.nanos();

                ann.isCutOff();

                assertThat(stopped.take()).isEqualTo("ann");
                assertThat(Duration.ofNanos(time.nanos() - cutAt))
                        .isLessThan(SHORT.lease().plus(SLACK));
                ObservedRecord atCentre = found(centre, "billing");
                assertThat(atCentre.record().leader().orElseThrow().name()).isEqualTo("ann");
                assertThat(atCentre.leaseAlive()).isTrue();

                Leadership next = begun.take();
                assertThat(next.term().leader().name()).isEqualTo("sue");
                assertThat(next.token()).isGreaterThan(first.token());
                assertThat(sue.atCentre.candidate().name()).isEqualTo("sue");
            }
        }
    }

    /** As when all its processes end at once. */
    @Test
    void aSiteThatIsLostIsSucceededAfterTheLeaseAtTheCentreAlone() throws Exception {
        try (Member ann = new Member("ann", north, SHORT);
                Member ben = new Member("ben", north, SHORT)) {
            begun.take();
            try (Member sue = new Member("sue", south, SHORT)) {
                eventuallyStandsAtTheCentre(sue);
                long lostAt = time.nanos();

                ann.isCutOff();
                ben.isCutOff();

                assertThat(begun.take().term().leader().name()).isEqualTo("sue");
                assertThat(Duration.ofNanos(time.nanos() - lostAt))
                        .isLessThan(SHORT.lease().plus(SLACK));
            }
        }
    }

    private void eventuallyStandsAtTheCentre(Member member) throws InterruptedException {
        try (Coordinator observer = MemoryCoordinator.connect(centre, time, SHORT.requestTimeout())) {
            ElectionName billing = new ElectionName("billing");
            String name = member.atCentre.candidate().name();
            while (observer.candidates(Set.of(billing)).toCompletableFuture().join().values().stream()
                    .flatMap(List::stream)
                    .noneMatch(one -> one.candidate().name().equals(name))) {
                SystemTimeline.sleep(Duration.ofMillis(10));
            }
        }
    }

    private ObservedRecord found(MemoryStore store, String election) {
        ElectionName name = new ElectionName(election);
        try (Coordinator observer = MemoryCoordinator.connect(store, time, SHORT.requestTimeout())) {
            Map<ElectionName, Reading> readings =
                    observer.read(Set.of(name)).toCompletableFuture().join();
            assertThat(readings.get(name)).isInstanceOf(Reading.Found.class);
            return readings.get(name) instanceof Reading.Found found ? found.record() : ObservedRecord.ABSENT;
        }
    }

    private Elections elections(String name, MemoryStore store, FaultyWire wire, Timing timing) {
        return Elections.over(MemoryCoordinator.connect(store, wire, time, timing.requestTimeout()))
                .name(name)
                .timing(timing)
                .timeline(time)
                .open();
    }
}
