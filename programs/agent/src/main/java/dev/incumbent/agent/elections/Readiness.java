package dev.incumbent.agent.elections;

import dev.incumbent.ElectionListener;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Whether the coordinator answers, and gives leases. It is asked when somebody wants to know, at most once a second, since everybody may want to know. Thread-safe.
 */
final class Readiness implements ElectionListener {
    private static final ElectionName ANY = new ElectionName("incumbent-agent");
    private static final long ASKS_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

    private final Coordinator coordinator;
    private final Strand strand;
    private volatile boolean renews = true;
    // Touched by the strand alone.
    private Optional<Probe> last = Optional.empty();

    private record Probe(long atNanos, CompletionStage<Boolean> answers) {}

    Readiness(Coordinator coordinator, Strand strand) {
        this.coordinator = coordinator;
        this.strand = strand;
    }

    @Override
    public void onUnreachable(String why) {
        renews = false;
    }

    @Override
    public void onReachable(Duration after) {
        renews = true;
    }

    /** What it lacks, as in "no answer": of a coordinator that answers reads and refuses leases, it is the lease. Empty where it answers and keeps the lease. */
    CompletionStage<Optional<String>> lack() {
        CompletableFuture<Optional<String>> lack = new CompletableFuture<>();
        strand.execute(() -> {
            if (last.filter(probe -> strand.nanos() - probe.atNanos < ASKS_EVERY_NANOS)
                    .isEmpty()) {
                last = Optional.of(new Probe(strand.nanos(), ask()));
            }
            last.get()
                    .answers
                    .thenAccept(answers -> lack.complete(
                            !answers ? Optional.of("no answer") : renews ? Optional.empty() : Optional.of("no lease")));
        });
        return lack;
    }

    /** The lease alone would not tell: an agent that nobody uses asks for none. */
    private CompletionStage<Boolean> ask() {
        try {
            return coordinator.read(Set.of(ANY)).handle((readings, failure) -> failure == null && !isUnread(readings));
        } catch (CoordinatorException refused) {
            return CompletableFuture.completedStage(false);
        }
    }

    private static boolean isUnread(Map<ElectionName, Reading> readings) {
        return readings.get(ANY) instanceof Reading.Unread;
    }
}
