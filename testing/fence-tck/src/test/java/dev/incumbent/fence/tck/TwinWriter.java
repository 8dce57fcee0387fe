package dev.incumbent.fence.tck;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One transaction behind a twin's fence. */
final class TwinWriter implements Writer {
    private final TwinStore store;
    private final List<String> lines = new ArrayList<>();
    private Optional<Map<ElectionName, Mark>> snapshot = Optional.empty();
    private Optional<ElectionName> admitted = Optional.empty();
    private boolean over;

    TwinWriter(TwinStore store) {
        this.store = store;
    }

    @Override
    public void read() {
        snapshot = Optional.of(store.marks());
    }

    @Override
    public void admitText(ElectionName election, String token) throws FenceException {
        if (store.has(Flaw.TAKES_AN_UNREADABLE_TOKEN_FOR_THE_MARK)) {
            return;
        }
        throw new NotAdmittedException("'" + token + "' is no token of " + election);
    }

    @Override
    public void admit(ElectionName election, FencingToken token)
            throws StaleTokenException, NotRaisedException, NotAdmittedException {
        synchronized (store) {
            if (store.isBeingRaised(election) && !store.has(Flaw.LETS_NEWCOMERS_OVERTAKE)) {
                throw new NotAdmittedException("a raise waits");
            }
            Optional<Mark> mark = store.has(Flaw.ADMITS_FROM_AN_OLD_SNAPSHOT) && snapshot.isPresent()
                    ? Optional.ofNullable(snapshot.get().get(election))
                    : store.mark(election);
            check(election, token, mark);
            if (store.has(Flaw.CHECKS_AND_WRITES_IN_TWO_STEPS)) {
                store.checked();
            } else if (admitted.isEmpty() || store.has(Flaw.COUNTS_EACH_ADMISSION_OF_A_TRANSACTION)) {
                store.enter(election);
                admitted = Optional.of(election);
            }
        }
    }

    private void check(ElectionName election, FencingToken token, Optional<Mark> mark)
            throws StaleTokenException, NotRaisedException {
        if (store.has(Flaw.REFUSES_THE_TOKEN_IN_FORCE)) {
            throw new NotRaisedException(election, token, "whatever");
        }
        try {
            mark.map(MarkRule::at).orElse(MarkRule.unmarked()).admit(election, borne(token, mark));
        } catch (StaleTokenException stale) {
            if (!store.has(Flaw.ADMITS_A_SMALLER_TOKEN)) {
                throw stale;
            }
        } catch (NotRaisedException notRaised) {
            boolean lifts = store.has(Flaw.ADMISSION_LIFTS_THE_MARK) && mark.isPresent();
            if (lifts) {
                store.lift(election, token);
            }
            boolean admits = mark.isPresent()
                    ? store.has(Flaw.ADMITS_A_GREATER_TOKEN)
                    : store.has(Flaw.ADMITS_WHERE_THERE_IS_NO_MARK);
            if (!lifts && !admits) {
                throw notRaised;
            }
        }
    }

    @Override
    public void write(String line) {
        lines.add(line);
    }

    @Override
    public void commit() throws InterruptedException {
        if (store.has(Flaw.CHECKS_AND_WRITES_IN_TWO_STEPS)) {
            store.awaitALook();
        }
        synchronized (store) {
            if (over) {
                throw new IllegalStateException("over");
            }
            store.append(lines);
            end();
        }
    }

    @Override
    public void rollBack() {
        if (!store.has(Flaw.HOLDS_ON_AFTER_A_ROLLBACK)) {
            end();
        }
    }

    void cutOff() {
        if (store.has(Flaw.COMMITS_WHAT_WAS_OPEN_WHEN_RESTARTED) && !over) {
            store.append(lines);
        }
        over = true;
    }

    private void end() {
        synchronized (store) {
            if (!over) {
                over = true;
                admitted.ifPresent(store::leave);
            }
        }
    }

    /** Where tokens are compared as texts, one that is as far above or below the mark as its text is. */
    private FencingToken borne(FencingToken token, Optional<Mark> mark) {
        if (mark.isEmpty() || !store.has(Flaw.COMPARES_TOKENS_AS_TEXTS)) {
            return token;
        }
        FencingToken inForce = mark.get().token();
        int order = Integer.signum(token.toString().compareTo(inForce.toString()));
        return new FencingToken(inForce.value() + order);
    }
}
