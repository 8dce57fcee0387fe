package dev.incumbent.agent.owners;

import java.util.List;
import java.util.Optional;

/**
 * The owners of one election on this host. Immutable.
 *
 * @param line the owners; the first one gets the next term
 * @param term the term that the agent leads, until it is given up
 * @param stands does the agent stand in the election
 * @param drains is the agent about to end
 */
public record OwnersState(
        OwnersSetup setup, List<Owner> line, Optional<SubLease> term, boolean stands, boolean drains) {
    public OwnersState {
        line = List.copyOf(line);
    }

    /** Nobody stands yet. */
    public static OwnersState empty(OwnersSetup setup) {
        return new OwnersState(setup, List.of(), Optional.empty(), false, false);
    }

    /** The owner of this id, if it stands. */
    public Optional<Owner> owner(String id) {
        return line.stream().filter(owner -> owner.id().equals(id)).findFirst();
    }

    /** Would an answer say something else than the owner's last answer did? True also where the owner does not stand any more. */
    public boolean hasNews(String id) {
        return owner(id).map(owner -> !owner.told().equals(view(id))).orElse(true);
    }

    /** For how long the owner of the term may surely still believe that it leads; zero once the term ends. */
    public long promisedNanos(long nowNanos) {
        return term.filter(sub -> !sub.ending())
                .map(sub -> Math.max(0, setup.told(sub.untilNanos() - nowNanos)))
                .orElse(0L);
    }

    /** The token of the term in which its owner was told that it leads, while it may be told so again; empty while nothing was granted, and once the term ends. */
    public Optional<Long> ledToken() {
        return term.filter(sub -> !sub.ending())
                .filter(sub -> owner(sub.owner())
                        .filter(owner -> owner.told().equals(View.leads(sub.token())))
                        .isPresent())
                .map(SubLease::token);
    }

    /** Does nothing of this election concern the agent any more? */
    public boolean isIdle() {
        return line.isEmpty() && term.isEmpty() && !stands;
    }

    /** What the owner of this id would be told now, as far as its line and its term decide. */
    View view(String id) {
        return term.filter(sub -> sub.owner().equals(id) && !sub.ending())
                .filter(sub -> sub.shield().isReady())
                .map(sub -> View.leads(sub.token()))
                .orElse(View.WAITS);
    }
}
