package dev.incumbent.cli.run;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import java.util.Locale;

/** What people are told of former leaders that may still act, and what they can do. */
final class StonithSentences {
    private StonithSentences() {}

    static String unfenced(ElectionName election, Holder holder, String why) {
        return "does not begin: " + holder + " may still act and was not turned off: " + why + "; turn node "
                + holder.on().node() + " off by hand, see that it is off, then: incumbent stonith confirm " + election
                + " " + holder.on().node() + " --term " + holder.term() + " --why TEXT";
    }

    static String fenced(Holder holder, HolderProof proof) {
        return holder + " acts no more: " + proof.kind().name().toLowerCase(Locale.ROOT);
    }

    static String full(ElectionName election, String why) {
        return "does not stand: too many former leaders may still act: " + why + "; see 'incumbent stonith list "
                + election + "', and confirm those that are off by 'incumbent stonith confirm'";
    }

    static String required(ElectionName election) {
        return "does not stand: " + election
                + " requires that former leaders are turned off, and this run has no fence device: give --stonith FILE";
    }
}
