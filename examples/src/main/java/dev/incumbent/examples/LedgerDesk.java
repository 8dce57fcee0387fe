package dev.incumbent.examples;

import dev.incumbent.Candidacy;
import dev.incumbent.Leadership;
import dev.incumbent.fence.FenceException;
import java.sql.SQLException;
import java.util.Optional;

/** Serves requests on threads that others own: it leads without a task, and asks before each act. One thread at a time, as its ledger. */
public final class LedgerDesk {
    private final Candidacy candidacy;
    private final Ledger ledger;

    /** A desk for a candidacy that stands without a task. */
    public LedgerDesk(Candidacy candidacy, Ledger ledger) {
        this.candidacy = candidacy;
        this.ledger = ledger;
    }

    /** Appends a line where this process leads; says whether it does. */
    public boolean append(String line) throws SQLException, FenceException {
        Optional<Leadership> leading = candidacy.leadership(); // anew before each act
        if (leading.isPresent()) {
            ledger.append(line, leading.get().token());
        }
        return leading.isPresent();
    }
}
