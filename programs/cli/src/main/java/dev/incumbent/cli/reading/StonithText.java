package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.Ages;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.telling.HolderView;
import dev.incumbent.telling.StonithJson;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Who may still act, and what showed that others do not, as {@code status} and {@code history} tell people. */
final class StonithText {
    private StonithText() {}

    /** Such as {@code n1 (term 7)}. */
    static String brief(HolderView view) {
        return view.holder().on().node() + " (term " + view.holder().term() + ")";
    }

    /** Who it is, where, since when, and that nothing has shown it off. */
    static String of(HolderView view, Instant now) {
        Holder holder = view.holder();
        return "term " + holder.term() + " of " + holder.candidate() + " on "
                + holder.on().node() + " (boot "
                + holder.on().bootId() + ")"
                + view.from().map(from -> ", since " + Ages.whole(from, now)).orElse("") + ": not seen off";
    }

    /** Whose word it is that a former leader acts no more, and why. */
    static String of(PastTerm past, HolderProof proof, Instant now) {
        return "term " + past.number() + " of " + past.leader().id() + " acts no more, by " + proof.by() + ": "
                + proof.why() + ", " + Ages.whole(proof.at(), now);
    }

    /** Of a past term, in a column; empty where nobody asks, or its leader left in order. */
    static String of(PastTerm past, LeaderRecord record) {
        return past.stonith()
                .map(proof -> StonithJson.word(proof) + " by " + proof.by()
                        + (proof.kind() == HolderProof.Kind.CONFIRMED ? ": " + proof.why() : ""))
                .or(() -> record.holders()
                        .of(past.number())
                        .map(holder -> "owed: " + holder.on().node() + " is not seen off"))
                .orElse("");
    }

    /** Those of whom the history tells nothing, for it is too short. */
    static Optional<String> forgotten(ElectionName election, ObservedRecord observed) {
        List<HolderView> forgotten = HolderView.owed(observed).stream()
                .filter(view -> view.from().isEmpty())
                .toList();
        return forgotten.isEmpty()
                ? Optional.empty()
                : Optional.of(election + " still owes a proof of "
                        + forgotten.stream().map(StonithText::brief).collect(Collectors.joining(", "))
                        + ", which its history has forgotten: see 'incumbent stonith list " + election + "'");
    }
}
