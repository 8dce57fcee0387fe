package dev.incumbent.acceptance;

import dev.incumbent.acceptance.Plan.Stroke;
import dev.incumbent.acceptance.Witness.Phase;
import dev.incumbent.model.ElectionName;
import dev.incumbent.servers.Namespaces;
import dev.incumbent.time.SystemTimeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One ensemble under faults, while candidates contend for an office over it; and what was seen. Used once, by one thread. */
final class Trial {
    private static final Office.Times TIMES =
            new Office.Times(Duration.ofSeconds(6), Duration.ofSeconds(6), Duration.ofSeconds(18));
    private static final Duration LONGEST_VACANCY = TIMES.lease().plusSeconds(5);

    /** By its next keep-alive a leader has heard of the end of its lease: a third of it, and what an answer may take. */
    private static final Duration LONGEST_OVERLAP = TIMES.lease().dividedBy(3).plusSeconds(2);

    private static final int CANDIDATES = 5;
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(50);
    private static final Duration LONGEST_MENDING = Duration.ofSeconds(60);
    private static final double NANOS_PER_SECOND = 1e9;

    private final String name;
    private final String ledgerUrl;
    private final long seed;
    private final Duration length;
    private final List<Fault> kinds;
    private final Consumer<String> say;
    private final SystemTimeline time = new SystemTimeline();
    private final Patience patience = new Patience(time);
    private final long beganNanos = time.nanos();
    private final Map<Fault, Integer> befell = new EnumMap<>(Fault.class);
    private final List<String> unmended = new ArrayList<>();

    /** What a trial is told: the coordinator, the PostgreSQL, the seed of its faults, and their kinds. */
    record Choices(String name, String ledgerUrl, long seed, Duration length, List<Fault> kinds) {}

    Trial(Choices choices, Consumer<String> say) {
        this.name = choices.name();
        this.ledgerUrl = choices.ledgerUrl();
        this.seed = choices.seed();
        this.length = choices.length();
        this.kinds = choices.kinds();
        this.say = line -> say.accept(name + ": " + line);
    }

    /** Each attempt has an ensemble, an election and a ledger of its own. */
    List<Claim> run(Namespaces network, int attempt) throws SQLException, InterruptedException {
        ElectionName election = new ElectionName("trial/" + name + "/" + attempt);
        Ledger ledger = Ledger.create(ledgerUrl, election, "ledger_" + name + "_" + attempt);
        try (Ensemble ensemble = Ensembles.start(name, network)) {
            Witness witness = new Witness(time, LONGEST_VACANCY);
            boolean writesAtTheEnd;
            try (Office office = new Office(time, ledger, witness, TIMES)) {
                office.open(election, CANDIDATES, i -> ensemble.uriFrom(i % ensemble.size()));
                patience.await(LONGEST_VACANCY, office::isLed);
                trouble(ensemble, office, witness);
                long before = ledger.accepted();
                writesAtTheEnd = patience.await(LONGEST_VACANCY, () -> office.isLed() && ledger.accepted() > before);
            }
            return claims(ledger, witness, writesAtTheEnd);
        } finally {
            time.close();
        }
    }

    private void trouble(Ensemble ensemble, Office office, Witness witness) throws InterruptedException {
        Plan plan = new Plan(seed, ensemble.size(), kinds);
        while (time.nanos() - beganNanos < length.toNanos()) {
            Stroke stroke = plan.next();
            strike(stroke, ensemble, office, witness);
            SystemTimeline.sleep(stroke.rest());
        }
    }

    /** A heal counts from when all that were killed take connections again: how long a process needs to start is the machine's affair. */
    private void strike(Stroke stroke, Ensemble ensemble, Office office, Witness witness) throws InterruptedException {
        Fault fault = stroke.fault();
        befell.merge(fault, 1, Integer::sum);
        List<Integer> struck = stroke.struck(leader(ensemble));
        boolean sparesMajority = fault.sparesMajority(ensemble.size());
        witness.becomes(sparesMajority ? Phase.MINORITY_LOST : Phase.MAJORITY_LOST);
        long began = time.nanos();
        witness.befalls("at " + at(began) + " of the seed " + seed + ", " + fault.told(struck));
        fault.befall(ensemble, struck);
        if (sparesMajority) {
            endure(stroke, ensemble, office, witness);
        } else {
            SystemTimeline.sleep(stroke.lasts());
        }
        double lasted = (time.nanos() - began) / NANOS_PER_SECOND;
        if (ensemble.endsLeasesEarlyAfter(fault)) {
            witness.excusesOverlaps(LONGEST_OVERLAP);
        }
        fault.heal(ensemble, struck);
        List<Integer> started = struck.subList(0, fault.startedAgain());
        patience.await(LONGEST_MENDING, () -> started.stream().allMatch(ensemble::hasStarted));
        witness.becomes(Phase.HEALED);
        long healed = time.nanos();
        patience.await(LONGEST_VACANCY.plusSeconds(1), office::isLed);
        double led = (time.nanos() - healed) / NANOS_PER_SECOND;
        boolean isWhole = patience.await(LONGEST_MENDING, ensemble::isWhole);
        double whole = (time.nanos() - healed) / NANOS_PER_SECOND;
        if (!isWhole) {
            unmended.add(
                    "after " + fault + " at " + at(began) + " not every member came back within " + LONGEST_MENDING);
        }
        say.accept(String.format(
                Locale.ROOT,
                "%s  %s for %.1f s; healed: led after %.1f s, whole after %.1f s",
                at(began),
                fault.told(struck),
                lasted,
                led,
                whole));
        if (witness.isTooLong()) {
            say.accept("nobody leads: " + office.healths());
        }
    }

    /** As long as the fault is to last, and then until somebody leads or it is too late for that. */
    private void endure(Stroke stroke, Ensemble ensemble, Office office, Witness witness) throws InterruptedException {
        long end = time.nanos() + stroke.lasts().toNanos();
        long latest = end + LONGEST_VACANCY.toNanos();
        long headless = 0;
        while (time.nanos() < end || (time.nanos() < latest && !office.isLed() && !witness.isTooLong())) {
            boolean isHeadless = ensemble.isHeadlessUnder(stroke.fault());
            witness.excuses(isHeadless);
            long before = time.nanos();
            SystemTimeline.sleep(BETWEEN_QUESTIONS);
            headless += isHeadless ? time.nanos() - before : 0;
        }
        if (headless > 0) {
            say.accept(String.format(
                    Locale.ROOT,
                    "the ensemble had no leader of its own for %.1f s of what follows",
                    headless / NANOS_PER_SECOND));
        }
    }

    private int leader(Ensemble ensemble) throws InterruptedException {
        OptionalInt leader = ensemble.leader();
        for (long end = time.nanos() + LONGEST_MENDING.toNanos();
                leader.isEmpty() && time.nanos() < end;
                leader = ensemble.leader()) {
            SystemTimeline.sleep(BETWEEN_QUESTIONS);
        }
        return leader.orElseThrow(() -> new IllegalStateException("no member leads the ensemble"));
    }

    private String at(long nanos) {
        return String.format(Locale.ROOT, "%6.1f s", (nanos - beganNanos) / NANOS_PER_SECOND);
    }

    private List<Claim> claims(Ledger ledger, Witness witness, boolean writesAtTheEnd) throws SQLException {
        Ledger.Audit audit = ledger.audit();
        say.accept(String.format(
                Locale.ROOT,
                "seed %d, %d s: %d terms; %d faults: %s; longest without a leader: %.1f s after a heal, %.1f s while a minority was lost; writes: %d accepted, %d refused",
                seed,
                length.toSeconds(),
                witness.terms(),
                befell.values().stream().mapToInt(Integer::intValue).sum(),
                befell.entrySet().stream()
                        .map(one -> one.getKey() + " " + one.getValue())
                        .collect(Collectors.joining(", ")),
                witness.longestSeconds(Phase.HEALED),
                witness.longestSeconds(Phase.MINORITY_LOST),
                audit.rows(),
                ledger.refused()));
        witness.excusedDoubles()
                .ifPresent(times -> say.accept(
                        "two led at once " + times + ", after a leader of its own had been frozen, as is known of it"));
        return List.of(
                Claim.of("never do two lead at once", witness.doubles()),
                Claim.of("terms only grow", witness.repetitions()),
                Claim.inTime(
                        "somebody leads within " + LONGEST_VACANCY.toSeconds()
                                + " s, after every heal and while a minority is lost",
                        witness.vacancies()),
                Claim.of("the ledger's rows are in the order of tokens", audit.late() == 0, audit.toString()),
                Claim.of(
                        "what was acknowledged is there",
                        audit.rows() >= ledger.accepted(),
                        audit + ", acknowledged " + ledger.accepted()),
                Claim.of("stragglers were refused", ledger.refused() > 0, "the fence was never tried"),
                Claim.inTime("every member came back", unmended),
                Claim.inTime(
                        "in the end somebody leads and writes", writesAtTheEnd ? List.of() : List.of("nobody did")));
    }
}
