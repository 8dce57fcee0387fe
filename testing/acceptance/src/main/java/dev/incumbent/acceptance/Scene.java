package dev.incumbent.acceptance;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.SystemTimeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;

/** Candidates that hand an office over to each other on one coordinator, a fenced PostgreSQL, and a writer of the coordinator's own: what a disaster befalls, and what is judged afterwards. Used by one thread. */
final class Scene implements AutoCloseable {
    static final Duration LEASE = Duration.ofSeconds(6);
    /** A lease, and what an election among the members and a busy machine may take. */
    static final Duration LONGEST_VACANCY = LEASE.plusSeconds(10);

    private static final Office.Times TIMES = new Office.Times(LEASE, Duration.ofSeconds(1), Duration.ofSeconds(3));
    private static final Duration LONGEST_SUCCESSION = Duration.ofMinutes(2);
    private static final int CANDIDATES = 4;

    private final SystemTimeline time = new SystemTimeline();
    private final Patience patience = new Patience(time);
    private final Fleet fleet;
    private final ElectionName election;
    private final ElectionName record;
    private final Ledger ledger;
    private final Witness witness = new Witness(time, LONGEST_SUCCESSION);
    private final Office office;
    private final List<Chronicle> chronicles = new ArrayList<>();
    private final List<Claim> claims = new ArrayList<>();
    private boolean over;

    Scene(String name, Fleet fleet, String ledgerUrl) throws SQLException {
        this.fleet = fleet;
        this.election = new ElectionName("disaster/" + name);
        this.record = new ElectionName("disaster/" + name + "/record");
        this.ledger = Ledger.create(ledgerUrl, election, "disaster_" + name.replace('-', '_'));
        this.office = new Office(time, ledger, witness, TIMES);
    }

    Fleet fleet() {
        return fleet;
    }

    ElectionName election() {
        return election;
    }

    Witness witness() {
        return witness;
    }

    /** New processes begin to use the coordinator: candidates, and a writer that goes on after that number. */
    void begin(long after) {
        office.open(election, CANDIDATES, i -> fleet.uri());
        chronicles.add(new Chronicle(open(), record, after));
    }

    private Coordinator open() {
        return Coordinators.open(fleet.uri(), time, Duration.ofSeconds(2));
    }

    /** The last number that the writer has had acknowledged. */
    long acknowledged() {
        return chronicles.get(chronicles.size() - 1).acknowledged();
    }

    /** The process that writes ends: what it had acknowledged last is what is known. */
    void endWriter() {
        chronicles.get(chronicles.size() - 1).end();
    }

    SystemTimeline time() {
        return time;
    }

    void tell(String what) {
        System.out.println(election.value() + ": " + what);
    }

    /** What stands there. */
    long recorded() {
        return asked(probe -> ElectionAdmin.over(probe, time, record, "trial")
                .status()
                .toCompletableFuture()
                .join()
                .observed()
                .record()
                .term());
    }

    private <T> T asked(Function<Coordinator, T> question) {
        try (Coordinator probe = open()) {
            return question.apply(probe);
        }
    }

    /** So many more terms begin, and numbers are acknowledged, before that time is over. */
    boolean goesOn(int terms, Duration within) throws InterruptedException {
        long term = (long) witness.terms() + terms;
        long number = acknowledged() + 3;
        long rows = ledger.accepted();
        return patience.await(
                within, () -> witness.terms() >= term && acknowledged() >= number && ledger.accepted() > rows);
    }

    boolean isLedWithin(Duration bound) throws InterruptedException {
        return patience.await(bound, office::isLed);
    }

    boolean isVacantWithin(Duration bound) throws InterruptedException {
        return patience.await(bound, () -> !office.isLed());
    }

    void claim(String sentence, boolean holds, String against) {
        claims.add(Claim.of(sentence, holds, against));
    }

    void claimProgress(String when) throws InterruptedException {
        boolean goesOn = goesOn(2, LONGEST_SUCCESSION);
        claim(
                when + ", terms pass, rows are written and changes acknowledged",
                goesOn,
                witness.terms() + " terms, " + ledger.accepted() + " rows, " + acknowledged() + " changes; candidates: "
                        + office.healths());
    }

    /** What must hold after every disaster. All of it is over then. */
    List<Claim> judged(String name) throws SQLException, InterruptedException {
        endUsers();
        Ledger.Audit audit = ledger.audit();
        claims.add(Claim.of("never do two lead at once", witness.doubles()));
        claims.add(Claim.of("terms only grow", witness.repetitions()));
        claim("the ledger's rows are in the order of tokens", audit.late() == 0, audit.toString());
        claim("every acknowledged row is there", audit.rows() >= ledger.accepted(), audit + ", " + ledger.accepted());
        claim("stragglers were refused", ledger.refused() > 0, "the fence was never tried");
        List<String> lost =
                chronicles.stream().flatMap(one -> one.lost().stream()).toList();
        claims.add(Claim.of("no acknowledged change is lost", lost));
        claimOneState();
        System.out.println(
                name + ": " + witness.terms() + " terms, " + audit.rows() + " rows, " + ledger.refused() + " refused");
        return claims;
    }

    private void claimOneState() throws InterruptedException {
        List<List<String>> last = new ArrayList<>();
        boolean one = patience.await(Duration.ofSeconds(60), () -> {
            last.clear();
            last.add(fleet.states());
            return new HashSet<>(last.get(0)).size() == 1;
        });
        claim("all members hold the same", one, last.toString());
    }

    private void endUsers() {
        if (!over) {
            over = true;
            office.close();
            chronicles.forEach(Chronicle::close);
        }
    }

    @Override
    public void close() {
        endUsers();
        time.close();
    }
}
