package dev.incumbent.acceptance;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.PastTerm;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Puts coordinators back to what they were, under live candidacies whose sink keeps its mark, and sinks, whose coordinator forgets nothing: those named, or all, side by side. Prints a line a
 * claim, and last {@code N passed, N failed}.
 */
public final class RestoreTrial {
    private static final String SINK = "sink-beside-";
    private static final List<String> BESIDE = List.of("etcd", "postgresql");
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration LEASE_BESIDE_A_SINK = Duration.ofSeconds(6);
    private static final int CANDIDATES = 5;
    private static final int TERMS_BEFORE = 2;
    private static final int TERMS_FORGOTTEN = 3;
    private static final int TERMS_AFTER = 2;
    private static final Duration LONGEST_SUCCESSION = Duration.ofMinutes(2);
    private static final Duration SLACK = Duration.ofSeconds(10);
    private static final double NANOS_PER_SECOND = 1e9;

    private final String name;
    private final String ledgerUrl;

    private RestoreTrial(String name, String ledgerUrl) {
        this.name = name;
        this.ledgerUrl = ledgerUrl;
    }

    public static void main(String[] names) throws Exception {
        List<String> known = new ArrayList<>(Restorables.names());
        BESIDE.forEach(store -> known.add(SINK + store));
        List<String> chosen = names.length == 0 ? known : List.of(names);
        if (!known.containsAll(chosen)) {
            throw new IllegalArgumentException("of " + chosen + " only these are known: " + known);
        }
        boolean holds;
        try (PostgresServer ledger = PostgresServer.start()) {
            Map<String, Trials.Attempts> trials = new LinkedHashMap<>();
            chosen.forEach(one -> trials.put(one, trial(one, ledger.jdbcUrl())));
            holds = Trials.hold(trials);
        }
        System.exit(holds ? 0 : 1);
    }

    private static Trials.Attempts trial(String name, String ledgerUrl) {
        return name.startsWith(SINK)
                ? attempt ->
                        new SinkRestoreTrial(name.substring(SINK.length()), LEASE_BESIDE_A_SINK, sink -> sink).run()
                : attempt -> new RestoreTrial(name, ledgerUrl).run();
    }

    private List<Claim> run() throws Exception {
        ElectionName election = new ElectionName("restored/" + name);
        Ledger ledger = Ledger.create(ledgerUrl, election, "restored_" + name);
        try (SystemTimeline time = new SystemTimeline();
                Restorable coordinator = Restorables.start(name)) {
            Capabilities can = asked(coordinator, time, Coordinator::capabilities);
            Duration lease = can.leaseFloor().compareTo(LEASE) > 0 ? can.leaseFloor() : LEASE;
            Duration bound = lease.plus(can.expiryLag()).plus(SLACK);
            Witness witness = new Witness(time, LONGEST_SUCCESSION);
            Office.Times times = new Office.Times(lease, Duration.ofSeconds(1), Duration.ofSeconds(2));
            try (Office office = new Office(time, ledger, witness, times)) {
                office.open(election, CANDIDATES, i -> coordinator.uri());
                return lives(coordinator, new Seen(election, ledger, witness, new Patience(time)), bound);
            }
        }
    }

    private static <T> T asked(Restorable at, SystemTimeline time, Function<Coordinator, T> question) {
        try (Coordinator probe = Coordinators.open(at.uri(), time, Duration.ofSeconds(2))) {
            return question.apply(probe);
        }
    }

    /** The past terms that the record remembers. */
    private static List<PastTerm> history(Restorable at, Seen seen) {
        SystemTimeline time = seen.patience().time();
        return asked(
                at,
                time,
                probe -> ElectionAdmin.over(probe, time, seen.election(), "trial")
                        .history()
                        .toCompletableFuture()
                        .join());
    }

    /** Where it is read off what comes of it. */
    private record Seen(ElectionName election, Ledger ledger, Witness witness, Patience patience) {
        boolean begins(long term, Duration within) throws InterruptedException {
            return patience.await(within, () -> witness.lastBegun() >= term);
        }
    }

    private List<Claim> lives(Restorable coordinator, Seen seen, Duration bound) throws Exception {
        boolean passed = seen.begins(TERMS_BEFORE, LONGEST_SUCCESSION);
        coordinator.save();
        long saved = seen.witness().lastBegun();
        passed &= seen.begins(saved + TERMS_FORGOTTEN, LONGEST_SUCCESSION);
        List<PastTerm> doomed = history(coordinator, seen).stream()
                .filter(term -> term.number() > saved)
                .toList();
        coordinator.goBack();
        long forgotten = seen.witness().lastBegun();
        long began = seen.patience().time().nanos();
        boolean healed = seen.begins(forgotten + 1, bound);
        double took = (seen.patience().time().nanos() - began) / NANOS_PER_SECOND;
        long accepted = seen.ledger().accepted();
        boolean goesOn = seen.begins(forgotten + TERMS_AFTER, LONGEST_SUCCESSION)
                && seen.patience().await(bound, () -> seen.ledger().accepted() > accepted);
        List<PastTerm> remembered = history(coordinator, seen);
        Ledger.Audit audit = seen.ledger().audit();
        System.out.printf(
                Locale.ROOT,
                "%s: saved in term %d, put back in term %d; term %d began after %.1f s; %s, %d refused%n",
                name,
                saved,
                forgotten,
                seen.witness().lastBegun(),
                took,
                audit,
                seen.ledger().refused());
        return List.of(
                Claim.of("terms pass before it", passed, "the last that began is " + forgotten),
                Claim.of(
                        "a term above the mark begins within " + bound.toSeconds() + " s of its going back",
                        healed,
                        "the last that began is " + seen.witness().lastBegun()),
                Claim.of("and terms pass and rows are written as before", goesOn, audit.toString()),
                Claim.of(
                        "it has forgotten the terms since",
                        !doomed.isEmpty() && remembered.stream().noneMatch(doomed::contains),
                        "of " + doomed + " it remembers some: " + remembered),
                Claim.of("terms only grow", seen.witness().repetitions()),
                Claim.of("the ledger's rows are in the order of tokens", audit.late() == 0, audit.toString()),
                Claim.of("stragglers were refused", seen.ledger().refused() > 0, "the fence was never tried"));
    }
}
