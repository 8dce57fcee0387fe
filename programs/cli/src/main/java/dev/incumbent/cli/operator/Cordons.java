package dev.incumbent.cli.operator;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.reading.Enquiry;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.outcome.Cordoning;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Standing;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sets the cordon of one host, name or id in many elections, or takes it back. Blocks the calling thread. */
final class Cordons {
    private final Surroundings around;
    private final String whom;
    private final boolean asJson;

    Cordons(Surroundings around, String whom, boolean asJson) {
        this.around = around;
        this.whom = whom;
        this.asJson = asJson;
    }

    int set(At at, String prefix, String why) {
        Cordon cordon = checked(why);
        try (Coordinator coordinator = at.open(around, Mode.CREATE)) {
            Enquiry enquiry = new Enquiry(coordinator);
            Set<ElectionName> elections = elections(enquiry, prefix);
            if (enquiry.standings(elections).stream().noneMatch(one -> isSeen(cordon, one))) {
                around.say("nobody of " + whom + " leads or stands in " + (prefix.isEmpty() ? "any election" : prefix)
                        + " here now; it is cordoned for when it comes");
            }
            return inEach(coordinator, elections, admin -> admin.cordon(whom, why));
        }
    }

    int lift(At at, String prefix) {
        checked("");
        try (Coordinator coordinator = at.open(around, Mode.CREATE)) {
            Set<ElectionName> elections = elections(new Enquiry(coordinator), prefix);
            return inEach(coordinator, elections, admin -> admin.uncordon(whom));
        }
    }

    /** What no record could hold is no matter of the store. */
    private Cordon checked(String why) {
        try {
            return new Cordon(whom, "nobody", why, Instant.EPOCH);
        } catch (IllegalArgumentException none) {
            throw Refusal.usage(String.valueOf(none.getMessage()));
        }
    }

    private Set<ElectionName> elections(Enquiry enquiry, String prefix) {
        Set<ElectionName> elections = enquiry.named(prefix);
        if (elections.isEmpty() && Enquiry.isOne(prefix)) {
            throw Refusal.notSo(Enquiry.unknown(prefix));
        }
        if (elections.isEmpty()) {
            around.say("no election");
        }
        return elections;
    }

    private static boolean isSeen(Cordon cordon, Standing standing) {
        Stream<Candidate> standingThere = standing.candidates().stream().map(Enlisted::candidate);
        return Stream.concat(standing.record().leader().stream(), standingThere).anyMatch(cordon::covers);
    }

    private int inEach(
            Coordinator coordinator,
            Set<ElectionName> elections,
            Function<ElectionAdmin, CompletionStage<Cordoning>> operation) {
        List<InEach.Ended> ended = new InEach(coordinator, around).of(elections, operation, this::tell);
        Set<ElectionName> left = InEach.notDone(ended);
        if (asJson) {
            around.out()
                    .println(new JsonObject()
                            .put("whom", whom)
                            .put(
                                    "elections",
                                    ended.stream()
                                            .map(one -> one.outcome().json())
                                            .toList())
                            .putStrings("left", left));
        } else if (!left.isEmpty()) {
            around.say("not done in " + left.stream().map(ElectionName::value).collect(Collectors.joining(" ")));
        }
        return ended.stream().mapToInt(InEach.Ended::code).max().orElse(ExitCodes.DONE);
    }

    private void tell(InEach.Ended one) {
        if (!asJson) {
            Ending.print(one.outcome(), around, false);
        }
    }
}
