package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private final List<String> ends = new CopyOnWriteArrayList<>();
    private final List<Coordinator> observers = new ArrayList<>();

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
                try {
                    new CountDownLatch(1).await();
                } finally {
                    ends.add("the job stopped");
                }
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
        observers.forEach(Coordinator::close);
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

    @Test
    void whenASitesTermEndsTheJobStopsThenTheCentreIsVacatedThenTheSite() throws Exception {
        watch(centre, "billing", "the centre was vacated");
        watch(north, "site", "the site was vacated");
        try (Member ann = new Member("ann", north)) {
            begun.take();

            ann.leave();

            while (ends.size() < 3) {
                SystemTimeline.sleep(Duration.ofMillis(10));
            }
            assertThat(ends).containsExactly("the job stopped", "the centre was vacated", "the site was vacated");
        }
    }

    /** Notes when a leader of that election has gone. */
    private void watch(MemoryStore store, String election, String what) {
        Coordinator observer = MemoryCoordinator.connect(store, time, TIMING.requestTimeout());
        observers.add(observer);
        observer.watch(new ElectionName(election), new Watcher() {
            private boolean isLed;

            @Override
            public void changed(ObservedRecord record) {
                boolean was = isLed;
                isLed = record.record().leader().isPresent();
                if (was && !isLed) {
                    ends.add(what);
                }
            }

            @Override
            public void gap() {}

            @Override
            public void currentAsOf(long sentAtNanos) {}
        });
    }

    private Elections elections(String name, MemoryStore store) {
        return Elections.over(MemoryCoordinator.connect(store, time, TIMING.requestTimeout()))
                .name(name)
                .timing(TIMING)
                .timeline(time)
                .open();
    }
}
