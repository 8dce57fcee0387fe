import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Extras;
import dev.incumbent.model.Feature;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A hand in the record of an election, for {@code accept-mixed}: {@code AT ELECTION attributes | requires FEATURE | requires-nothing}. */
public final class Hand {
    private Hand() {}

    public static void main(String[] args) throws Exception {
        ElectionName election = new ElectionName(args[1]);
        Duration bound = Duration.ofSeconds(5);
        try (SystemTimeline timeline = new SystemTimeline();
                Coordinator coordinator = provider(args[0]).open(args[0], timeline, bound, Mode.CREATE)) {
            for (int tries = 0; tries < 20; tries++) {
                Reading reading = coordinator
                        .read(Set.of(election))
                        .toCompletableFuture()
                        .get(5, TimeUnit.SECONDS)
                        .get(election);
                ObservedRecord now = ((Reading.Found) reading).record();
                LeaderRecord next = changed(now.record(), args).written("hand-" + System.nanoTime());
                Swap swap = coordinator
                        .swap(election, now.revision(), next)
                        .toCompletableFuture()
                        .get(5, TimeUnit.SECONDS);
                if (swap instanceof Swap.Accepted) {
                    return;
                }
            }
        }
        throw new IllegalStateException("the record kept changing");
    }

    private static CoordinatorProvider provider(String at) {
        return ServiceLoader.load(CoordinatorProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.schemes().stream().anyMatch(scheme -> at.startsWith(scheme + ":")))
                .findFirst()
                .orElseThrow();
    }

    private static LeaderRecord changed(LeaderRecord r, String[] args) {
        return switch (args[2]) {
            case "attributes" -> withLeader(r);
            case "requires" -> r.withRequires(Set.of(new Feature(args[3])));
            case "requires-nothing" -> r.withRequires(Set.of());
            default -> throw new IllegalArgumentException("unknown: " + args[2]);
        };
    }

    private static LeaderRecord withLeader(LeaderRecord r) {
        Candidate leader = r.leader().orElseThrow();
        Candidate told = new Candidate(leader.id(), leader.name(), leader.address(), Extras.of(Map.of("zone", "eu 1")));
        return r.claimedBy(r.term(), told, r.lease().orElseThrow(), r.leaseLength(), r.since());
    }
}
