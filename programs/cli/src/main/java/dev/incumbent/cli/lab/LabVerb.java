package dev.incumbent.cli.lab;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.lab.LabCell;
import dev.incumbent.lab.LabGrid;
import dev.incumbent.lab.LabProtocol;
import dev.incumbent.lab.LabScenario;
import dev.incumbent.telling.DurationText;
import dev.incumbent.telling.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lab}: protocols of leader election side by side, in one simulated world and under the same faults. */
@Command(
        name = "lab",
        description = {
            "Runs protocols of leader election in one simulated world, under the same faults, and prints what each"
                    + " did.",
            "The same flags print the same figures. Nothing is started and nothing is asked: all time is simulated.",
            "docs/lab.md says what each figure means."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent lab                                  (all; some 4,000 runs)",
            "  $ incumbent lab --protocols raft,bully --scenarios partition --seeds 100",
            "  $ incumbent lab --protocols lease --scenarios pauses --leases 1s,5s,60s",
            "  $ incumbent lab --html lab.html                  (a page with a player)"
        })
public final class LabVerb implements Verb {
    private static final List<Integer> SIZES = List.of(3, 5, 7, 9, 31);
    private static final List<Duration> LEASES = Arrays.stream(new int[] {1, 2, 5, 10, 15, 30, 60})
            .mapToObj(Duration::ofSeconds)
            .toList();

    @Option(
            names = "--protocols",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Which; all of them unless said: bully, ring, ring-list, raft, lease+fence, lease, and the wrong"
                            + " answers flag, wall-clock, ping, row-lock, forgetful.")
    private List<String> protocols = List.of();

    @Option(
            names = "--scenarios",
            paramLabel = "NAME",
            split = ",",
            description = "Which; all of them unless said. --list explains them.")
    private List<String> scenarios = List.of();

    @Option(
            names = "--members",
            paramLabel = "N",
            split = ",",
            description = "How many members a group has; 3,5,7,9,31 unless said, of which the table shows 5.")
    private List<Integer> members = List.of();

    @Option(
            names = "--leases",
            paramLabel = "DUR",
            split = ",",
            description = "How long leases are; 15s unless said, and 1s to 60s in two scenarios.")
    private List<Duration> leases = List.of();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            defaultValue = "4",
            description = "Runs of each cell; ${DEFAULT-VALUE}.")
    private int seeds = 4;

    @Mixin
    private LabFlags flags = new LabFlags();

    @Option(names = "--list", description = "Explains the protocols and scenarios, and runs none.")
    private boolean list;

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        if (list) {
            explain(around);
            return ExitCodes.DONE;
        }
        new LabRun(around, flags, output).run(grids(), members.isEmpty());
        return ExitCodes.DONE;
    }

    /** What was asked for; and where nothing was, leases of other lengths beside it. */
    private List<LabGrid> grids() {
        List<LabProtocol> which = named("--protocols", protocols, LabProtocol::of, List.of(LabProtocol.values()));
        List<LabScenario> what = named("--scenarios", scenarios, LabScenario::of, List.of(LabScenario.values()));
        List<Integer> sizes = members.isEmpty() ? SIZES : members;
        try {
            List<Duration> lengths = leases.isEmpty() ? List.of(LabGrid.USUAL_LEASE) : leases;
            LabGrid asked = new LabGrid(which, what, sizes, lengths, seeds, flags.base());
            boolean isDefault = protocols.isEmpty() && scenarios.isEmpty() && members.isEmpty() && leases.isEmpty();
            return isDefault ? List.of(asked, ofLeases()) : List.of(asked);
        } catch (IllegalArgumentException refused) {
            throw Refusal.usage("--members, --leases, --seeds: " + refused.getMessage());
        }
    }

    private LabGrid ofLeases() {
        List<Duration> lengths = LEASES.stream()
                .filter(lease -> !lease.equals(LabGrid.USUAL_LEASE))
                .toList();
        return new LabGrid(
                List.of(LabProtocol.LEASE_FENCE, LabProtocol.LEASE),
                List.of(LabScenario.LEADER_CRASH, LabScenario.PAUSES),
                List.of(LabTable.SHOWN_SIZE),
                lengths,
                seeds,
                flags.base());
    }

    private static <T> List<T> named(
            String flag, List<String> names, Function<String, Optional<T>> of, List<T> unlessSaid) {
        List<T> found = new ArrayList<>();
        for (String name : names) {
            found.add(of.apply(name)
                    .orElseThrow(() -> Refusal.usage(
                            flag + " " + name + ": there is none of that name; incumbent lab --list has them all")));
        }
        return found.isEmpty() ? unlessSaid : found.stream().distinct().collect(Collectors.toList());
    }

    private void explain(Surroundings around) {
        if (output.isJson()) {
            around.out()
                    .println(new JsonObject()
                            .put(
                                    "protocols",
                                    explained(List.of(LabProtocol.values()), LabProtocol::label, LabProtocol::what))
                            .put(
                                    "scenarios",
                                    explained(List.of(LabScenario.values()), LabScenario::label, LabScenario::what)));
            return;
        }
        around.out().println("Protocols");
        for (LabProtocol one : LabProtocol.values()) {
            around.out().println("  %-16s  %s".formatted(one.label(), one.what()));
        }
        around.out().println();
        around.out().println("Scenarios");
        for (LabScenario one : LabScenario.values()) {
            around.out().println("  %-16s  %s".formatted(one.label(), one.what()));
        }
    }

    private static <T> List<JsonObject> explained(List<T> all, Function<T, String> label, Function<T, String> what) {
        return all.stream()
                .map(one -> new JsonObject().put("name", label.apply(one)).put("what", what.apply(one)))
                .toList();
    }

    /** A lease as the table and the JSON have it; a dash where the protocol has none. */
    static String lease(LabCell cell) {
        return cell.place().protocol().isLeased()
                ? DurationText.format(cell.place().lease())
                : "";
    }
}
