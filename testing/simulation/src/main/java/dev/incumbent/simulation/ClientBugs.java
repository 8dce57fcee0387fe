package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Bugs of the library by which a process speaks to its store. */
final class ClientBugs {
    private ClientBugs() {}

    static List<Bug> all() {
        return List.of(
                bug(
                                "keeps-alive-by-itself",
                                "a lease that runs out unanswered is let go",
                                "SomeoneLeadsOnceFaultsCease",
                                0,
                                StoreBugs.of(KeepsAliveByItself::new))
                        .needing(Kind.CUT),
                bug(
                        "reads-the-lease-first",
                        "first the record, then the lease",
                        "OnlyTheOwnerEndsItsTerm",
                        0,
                        StoreBugs.of(ReadsTheLeaseFirst::new)));
    }

    /** Goes on with the keep-alives of the lease that it kept alive last. */
    private static final class KeepsAliveByItself extends StoreBugs.Whole {
        private Optional<LeaseId> last = Optional.empty();

        KeepsAliveByItself(Coordinator inner) {
            super(inner);
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            last = Optional.of(lease);
            return inner().keepAlive(lease);
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            last.ifPresent(inner()::keepAlive);
            return inner().read(elections);
        }
    }

    /** Judges the lease of a record by what it had seen of leases before. */
    private static final class ReadsTheLeaseFirst extends StoreBugs.Whole {
        private final Set<LeaseId> seen = new LinkedHashSet<>();

        ReadsTheLeaseFirst(Coordinator inner) {
            super(inner);
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            return rewritten(inner().read(elections), this::judged);
        }

        private ObservedRecord judged(ObservedRecord told) {
            boolean known = told.record().lease().filter(seen::contains).isPresent();
            told.record().lease().ifPresent(seen::add);
            return new ObservedRecord(
                    told.record(), told.revision(), told.leaseAlive() && known, told.leaseRemaining());
        }

        @Override
        public Watch watch(ElectionName election, Watcher watcher) {
            return () -> {};
        }
    }
}
