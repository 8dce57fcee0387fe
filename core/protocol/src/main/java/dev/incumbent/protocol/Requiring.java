package dev.incumbent.protocol;

import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Feature;
import dev.incumbent.model.LeaderRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a record comes to require a feature: its leader adds it, while it leads, once every candidate enlisted supports it.
 *
 * <p>Whoever enlists without it after the list was read does not stand: it finds the entry in the record, or its claim is refused since the record has
 * changed.
 */
final class Requiring {
    private Requiring() {}

    static void pursue(Draft draft) {
        Set<Feature> wanted = draft.setup.features().wanted();
        if (draft.record().requires().containsAll(wanted) || !mayAdd(draft)) {
            return;
        }
        if (draft.known.line().isEmpty()) {
            ask(draft);
            return;
        }
        Set<Feature> lacking = new TreeSet<>(wanted);
        lacking.removeAll(draft.record().requires());
        List<Enlisted> line = draft.known.line().get();
        line.forEach(candidate -> lacking.retainAll(candidate.supports()));
        long next = draft.now.nanos() + draft.setup.timing().lease().toNanos();
        draft.known = draft.known.lined(Optional.empty(), false).asksForFeaturesAt(next);
        draft.wake(next);
        if (!lacking.isEmpty()) {
            add(draft, lacking);
        }
    }

    /** Only the leader that the record names, and not while it hands over. */
    private static boolean mayAdd(Draft draft) {
        Tenure.Handover handover = draft.held().handover();
        return draft.namesMyTerm(draft.record())
                && !draft.record().isFrozen()
                && handover.successor().isEmpty()
                && handover.wished().isEmpty()
                && draft.isDue(draft.known.notBefore().swapAtNanos());
    }

    private static void ask(Draft draft) {
        boolean due = draft.isDue(draft.known.notBefore().featuresAtNanos())
                && draft.isDue(draft.known.notBefore().readAtNanos());
        if (due && !draft.known.questions().listing()) {
            draft.emit(new Effect.ListCandidates());
            draft.known = draft.known.lined(Optional.empty(), true);
        }
    }

    private static void add(Draft draft, Set<Feature> more) {
        LeaderRecord record = draft.record();
        Set<Feature> all = new TreeSet<>(record.requires());
        all.addAll(more);
        draft.swap(Attempt.Kind.ADD_FEATURES, record.withRequires(all));
    }
}
