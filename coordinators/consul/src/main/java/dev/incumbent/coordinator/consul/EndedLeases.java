package dev.incumbent.coordinator.consul;

import dev.incumbent.model.LeaseId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Leases whose session has ended and that are not dead yet, as a watch sees them: looks at each at once, so that its time is counted, and again when that is over, so that it
 * is buried. The burial wakes every watch. All state belongs to the one thread of answers.
 */
final class EndedLeases {
    private final Leases leases;
    private final AnswerThread thread;
    private final Set<LeaseId> followed = new HashSet<>();
    private Set<LeaseId> ended = Set.of();

    EndedLeases(Leases leases, AnswerThread thread) {
        this.leases = leases;
        this.thread = thread;
    }

    /** These are all that there are. */
    void seen(Set<LeaseId> all) {
        if (!leases.mayBury()) {
            return;
        }
        ended = all;
        all.stream().filter(followed::add).toList().forEach(this::look);
    }

    private void look(LeaseId lease) {
        if (!ended.contains(lease)) {
            followed.remove(lease);
            return;
        }
        leases.status(lease, thread.deadlineNanos())
                .whenComplete((status, failure) -> thread.execute(() -> {
                    if (failure == null && status != LeaseStatus.ENDED) {
                        followed.remove(lease);
                    } else {
                        lookAgain(lease);
                    }
                }));
    }

    /** What could not be read, or not be buried, is looked at after a pause. */
    private void lookAgain(LeaseId lease) {
        Duration left = leases.left(lease);
        thread.after(left.isZero() ? thread.requestTimeout() : left.plusNanos(1), () -> look(lease));
    }
}
