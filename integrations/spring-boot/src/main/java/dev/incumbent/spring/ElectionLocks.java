package dev.incumbent.spring;

import dev.incumbent.Candidacy;
import dev.incumbent.Leadership;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * ShedLock's locks as terms: the lock of a name is held by whoever leads the election of that name. A process that asks for a lock for the first time begins to stand there, and waits for at most five seconds until somebody leads.
 *
 * <p>The thread that has taken a lock is in the term until it unlocks, as in a {@link LeaderOnly} method: what it writes through the application's {@code DataSource} is fenced, and it is interrupted when the term must end. Unlocking keeps
 * the leadership, so {@code lockAtLeastFor} needs no counterpart. {@code lockAtMostFor} has none either: a lock is held as long as the leader's lease is renewed. Thread-safe.
 */
final class ElectionLocks implements LockProvider {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
    private static final int MOST_LOOKS = 100;

    private final Candidacies candidacies;
    private final CurrentTerm current;
    private final Iterable<EntryCheck> checks;

    ElectionLocks(Candidacies candidacies, CurrentTerm current, Iterable<EntryCheck> checks) {
        this.candidacies = candidacies;
        this.current = current;
        this.checks = checks;
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration asked) {
        String election = asked.getName();
        checks.forEach(check -> check.beforeEntering(election));
        Candidacy candidacy = candidacies.of(election);
        awaitALeader(candidacy);
        return candidacies.begin(election).map(run -> held(asked, run));
    }

    /** Returns at once where it is known who leads. */
    private static void awaitALeader(Candidacy candidacy) {
        try {
            for (int looks = 0; looks < MOST_LOOKS && nobodyLeads(candidacy); looks++) {
                candidacy.awaitLeadership(BETWEEN_LOOKS);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean nobodyLeads(Candidacy candidacy) {
        return candidacy.health().leader().isEmpty() && candidacy.leadership().isEmpty();
    }

    private SimpleLock held(LockConfiguration asked, TermWork.Run run) {
        Optional<Leadership> before = current.enter(run.leadership());
        return new AbstractSimpleLock(asked) {
            @Override
            protected void doUnlock() {
                current.leave(before);
                run.end();
            }
        };
    }
}
