package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two sites of two processes each, a coordinator for each site, and one at the centre. */
@Tag("patient")
@Timeout(60)
class HierarchyTest {
    private static final Timing TIMING = Timing.ofLease(Duration.ofMinutes(1));

    private final SystemTimeline time = new SystemTimeline();
    private final MemoryStore centre = new MemoryStore(time);
    private final MemoryStore north = new MemoryStore(time);
    private final MemoryStore south = new MemoryStore(time);
    private final BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();

    /** One process: it stands at its site, and for its site at the centre. */
    private final class Member implements AutoCloseable {
        private final Elections atSite;
        private final Elections atCentre;
        private final Candidacy candidacy;

        Member(String name, MemoryStore site) {
            atSite = elections(name, site);
            atCentre = elections(name, centre);
            candidacy = atSite.election("site").campaign(new SiteStanding(atCentre, "billing", leadership -> {
                begun.add(leadership);
                new CountDownLatch(1).await();
            }));
        }

        /** The process ends in good order. */
        void leave() {
            close();
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
    void oneLeadsTheWholeAndAnEndedSiteIsSucceededByTheOther() throws Exception {
        try (Member ann = new Member("ann", north);
                Member ben = new Member("ben", north)) {
            Leadership first = begun.take();
            assertThat(first.term().leader().name()).isIn("ann", "ben");
            try (Member sue = new Member("sue", south)) {
                assertThat(begun).as("who leads beside the first").isEmpty();

                ann.leave();
                ben.leave();
                Leadership last = begun.take();
                while (!last.term().leader().name().equals("sue")) {
                    last = begun.take(); // the other process of the north came between
                }

                assertThat(sue.atCentre.candidate().name()).isEqualTo("sue");
                assertThat(last.token()).isGreaterThan(first.token());
                assertThat(first.holds()).isFalse();
            }
        }
    }

    private Elections elections(String name, MemoryStore store) {
        return Elections.over(MemoryCoordinator.connect(store, time, TIMING.requestTimeout()))
                .name(name)
                .timing(TIMING)
                .timeline(time)
                .open();
    }
}
