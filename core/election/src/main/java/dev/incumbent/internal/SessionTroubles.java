package dev.incumbent.internal;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.util.Collection;
import java.util.Optional;

/** What is wrong with the session that all candidacies of a process share; each of them tells it. Owned by the loop's thread, but for {@link #unusable}. */
final class SessionTroubles {
    private final Teller teller;
    private final Collection<CurrentCandidacy> standing;
    private Optional<String> noLease = Optional.empty();
    private volatile Optional<CoordinatorUnusableException> unusable = Optional.empty();

    /** {@code standing} are at any time those that stand, or leave. */
    SessionTroubles(Teller teller, Collection<CurrentCandidacy> standing) {
        this.teller = teller;
        this.standing = standing;
    }

    /** Why no candidacy of this process begins a term any more; empty as long as one may. Any thread. */
    Optional<CoordinatorUnusableException> unusable() {
        return unusable;
    }

    /** One more stands. */
    void stands(CurrentCandidacy candidacy) {
        noLease.ifPresent(why -> candidacy.view().arose(Trouble.Kind.SESSION, why));
        unusable.ifPresent(candidacy::neverLeads);
    }

    /** The coordinator gives or keeps no lease, and why; empty where it does. Where it never will, that is told already. */
    void noLease(Optional<String> why) {
        if (why.equals(noLease) || unusable.isPresent()) {
            return;
        }
        noLease = why;
        teller.session(why);
        standing.forEach(candidacy -> why.ifPresentOrElse(
                trouble -> candidacy.view().arose(Trouble.Kind.SESSION, trouble),
                () -> candidacy.view().mended(Trouble.Kind.SESSION)));
    }

    /** The lease that it gives is too short. */
    void timingRefused(String why) {
        standing.forEach(candidacy -> candidacy.view().arose(Trouble.Kind.TIMING, why));
    }

    /** The coordinator's code lacks a class. Told once. */
    void coordinatorRefused(String why) {
        if (unusable.isEmpty()) {
            unusable = Optional.of(new CoordinatorUnusableException(why));
            standing.forEach(candidacy -> candidacy.neverLeads(unusable.get()));
        }
    }
}
