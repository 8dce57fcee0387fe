package dev.incumbent.examples;

import dev.incumbent.Candidacy;
import dev.incumbent.Leadership;
import dev.incumbent.fence.FenceException;
import java.sql.SQLException;
import java.util.Queue;

/** Works on a thread of the program's own: it waits until its candidacy leads, and works for as long as that holds. */
public final class LedgerWorker {
    private final Candidacy candidacy;
    private final Ledger ledger;
    private final Queue<String> lines;

    /** A worker for a candidacy that stands without a task. */
    public LedgerWorker(Candidacy candidacy, Ledger ledger, Queue<String> lines) {
        this.candidacy = candidacy;
        this.ledger = ledger;
        this.lines = lines;
    }

    /** One term's work, until there is no more or the term is over. An interrupt ends the wait. */
    public void work() throws InterruptedException, SQLException, FenceException {
        Leadership leading = candidacy.awaitLeadership();
        while (more() && leading.holds()) {
            ledger.append(next(), leading.token());
        }
    }

    private boolean more() {
        return !lines.isEmpty();
    }

    private String next() {
        return lines.remove();
    }
}
