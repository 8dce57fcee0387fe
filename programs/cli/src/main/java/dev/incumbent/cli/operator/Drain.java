package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.cli.reading.Enquiry;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.ElectionName;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Outcome;
import dev.incumbent.telling.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code drain HOST [ELECTION|PREFIX]}: another host leads what this one leads. */
@Command(
        name = "drain",
        description = {
            "Hands over all that a host leads, each to the first candidate in line on another host, and waits until these lead.",
            "The host's candidates still stand: cordon it first, or stop its programs before something else ends.",
            "Exit 0: it leads none of them; 1: nobody of that host stands; 80: it still leads some, which are named."
        },
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent drain ledger-1 && ssh ledger-1 systemctl reboot")
public final class Drain implements Verb {
    @Parameters(
            index = "0",
            paramLabel = "HOST",
            description = "A host, as candidates' ids name it; or the name of a candidate.")
    private String host = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ELECTION|PREFIX",
            description = "Only this election, or all beneath it where it ends in '/'. Default: all.")
    private String prefix = "";

    @Option(
            names = "--timeout",
            paramLabel = "DUR",
            description = "How long to wait for each transfer (30s); then it is taken back.")
    private Duration timeout = Duration.ofSeconds(30);

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    private boolean isUnread;

    @Override
    public int run(Surroundings around) {
        at.requireRecord(around, "drain");
        try (Coordinator coordinator = at.open(around, Mode.CREATE)) {
            Enquiry enquiry = new Enquiry(coordinator);
            OnHost there = new OnHost(host);
            List<Standing> all = read(around, enquiry, enquiry.named(prefix));
            List<Standing> led = all.stream().filter(there::leads).toList();
            if (!isUnread && all.stream().noneMatch(there::isKnownIn)) {
                throw Refusal.notSo("nobody of " + host + " leads or stands in "
                        + (prefix.isEmpty() ? "any election" : prefix) + " here; incumbent status tells who does");
            }
            List<Outcome> ended = new Handovers(coordinator, around, there, timeout).of(led, one -> tell(one, around));
            return conclude(around, ended, left(around, enquiry, there, led));
        }
    }

    /** Those that could not be read are told, and nothing is said of them. */
    private List<Standing> read(Surroundings around, Enquiry enquiry, Set<ElectionName> elections) {
        List<Standing> standings = enquiry.standings(elections);
        for (Standing one : standings) {
            one.obstacle().ifPresent(why -> around.say(one.election() + ": " + why));
            isUnread |= one.obstacle().isPresent();
        }
        return standings;
    }

    private void tell(Outcome one, Surroundings around) {
        if (!output.isJson()) {
            Ending.print(one, around, false);
        }
    }

    /** Read once more: whatever became of a transfer, this is how it stands. */
    private Set<ElectionName> left(Surroundings around, Enquiry enquiry, OnHost there, List<Standing> led) {
        return read(around, enquiry, names(led)).stream()
                .filter(there::leads)
                .map(Standing::election)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<ElectionName> names(List<Standing> standings) {
        return standings.stream().map(Standing::election).collect(Collectors.toCollection(TreeSet::new));
    }

    private int conclude(Surroundings around, List<Outcome> ended, Set<ElectionName> left) {
        if (output.isJson()) {
            around.out()
                    .println(new JsonObject()
                            .put("host", host)
                            .put("elections", ended.stream().map(Outcome::json).toList())
                            .putStrings("left", left));
        } else {
            around.say(host + sentence(ended.isEmpty(), left));
        }
        if (!left.isEmpty()) {
            return ExitCodes.TAKEN_BACK;
        }
        return isUnread ? ExitCodes.UNREACHABLE : ExitCodes.DONE;
    }

    private String sentence(boolean ledNothing, Set<ElectionName> left) {
        if (!left.isEmpty()) {
            return " still leads " + left.stream().map(ElectionName::value).collect(Collectors.joining(" "));
        }
        return " leads nothing" + (isUnread ? " that could be read" : prefix.isEmpty() ? "" : " of " + prefix)
                + (ledNothing ? "" : " any more");
    }
}
