package dev.incumbent.acceptance;

import dev.incumbent.fence.Sink;
import dev.incumbent.model.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Puts a sink back to what it was, under live candidacies whose coordinator forgets nothing. What it admits of yesterday until its leader has noticed, and under a freeze until it is frozen
 * once more, are the limits told in the docs, and are shown.
 */
final class SinkRestoreTrial {
    private static final int TERMS_BEFORE = 2;
    private static final int TERMS_FORGOTTEN = 3;
    /** Where the leader notices before the intruder is back, the sink goes back once more. */
    private static final int MOST_RETURNS = 3;

    private static final int ENOUGH = 5;
    private static final double NANOS_PER_SECOND = 1e9;

    private final String name;
    private final Duration lease;
    private final UnaryOperator<Sink> guarded;
    private final Duration bound;
    private final Duration longestAnswer;

    /** Over the coordinator of that name; each candidate's sink is what is made of it. */
    SinkRestoreTrial(String name, Duration lease, UnaryOperator<Sink> guarded) {
        this.name = name;
        this.lease = lease;
        this.guarded = guarded;
        // A third of a lease, and a request timeout each for the marks, the proof and the raise.
        this.bound =
                lease.dividedBy(3).plus(Timing.ofLease(lease).requestTimeout().multipliedBy(3));
        this.longestAnswer = bound.multipliedBy(2);
    }

    List<Claim> run() throws Exception {
        Office.Times times = new Office.Times(lease, Duration.ofSeconds(1), Duration.ofSeconds(2));
        try (SinkScene scene = new SinkScene(name, times, guarded)) {
            boolean passed = scene.passesTo(TERMS_BEFORE);
            long yesterday = scene.settles();
            scene.saveSink();
            passed &= yesterday > 0 && scene.passesTo(yesterday + TERMS_FORGOTTEN);
            long today = scene.settles();
            List<Claim> claims = new ArrayList<>();
            claims.add(Claim.of(
                    "terms pass before it", passed && today > yesterday + 1, "marks " + yesterday + " and " + today));
            if (claims.get(0).holds()) {
                try (Intruder before = scene.intruder(yesterday - 1);
                        Intruder then = scene.intruder(yesterday);
                        Intruder between = scene.intruder(yesterday + 1)) {
                    claims.addAll(goesBackUnderALeader(scene, then, today));
                    if (claims.stream().allMatch(Claim::holds)) {
                        claims.addAll(goesBackUnderAFreeze(scene, then));
                    }
                    long others = before.accepted() + between.accepted();
                    claims.add(Claim.of(
                            "it never admits another token that is over", others == 0, others + " were admitted"));
                }
                claims.add(rowsAreInOrder(scene));
            }
            return claims;
        }
    }

    /** How it went once. */
    private record Return(boolean raised, double seconds, long admitted, boolean shut, boolean goesOn) {}

    private List<Claim> goesBackUnderALeader(SinkScene scene, Intruder then, long today) throws InterruptedException {
        List<Return> returns = new ArrayList<>();
        while (returns.size() < MOST_RETURNS && returns.stream().noneMatch(one -> one.admitted() > 0)) {
            returns.add(goesBack(scene, then, today));
        }
        String told = returns.toString();
        System.out.printf(
                Locale.ROOT,
                "sink beside %s: put back in term %d; %s%n",
                name,
                today,
                String.join(
                        "; ", returns.stream().map(SinkRestoreTrial::sentence).toList()));
        boolean led = scene.isLed() && scene.witness().lastBegun() == today;
        return List.of(
                Claim.of(
                        "within " + bound.toMillis() + " ms of its coming back the leader has raised it again",
                        returns.stream().allMatch(Return::raised),
                        told),
                Claim.of(
                        "until then it admits yesterday's token, the stated limit",
                        returns.stream().anyMatch(one -> one.admitted() > 0),
                        told),
                Claim.of(
                        "from then on it refuses that token (IF001)",
                        returns.stream().allMatch(Return::shut),
                        told),
                Claim.of("and takes the leader's rows", returns.stream().allMatch(Return::goesOn), told),
                Claim.of(
                        "leadership is not lost",
                        led,
                        "term " + scene.witness().lastBegun() + " began, in term " + today + " it went back"));
    }

    private Return goesBack(SinkScene scene, Intruder then, long today) throws InterruptedException {
        long admittedBefore = then.accepted();
        scene.putSinkBack();
        long back = scene.nanos();
        boolean raised = scene.within(bound, () -> scene.mark() == today);
        double seconds = (scene.nanos() - back) / NANOS_PER_SECOND;
        long refused = then.refused();
        boolean shut = scene.within(longestAnswer, () -> then.refused() > refused);
        long admitted = then.accepted();
        shut = shut
                && scene.within(longestAnswer, () -> then.refused() > refused + ENOUGH)
                && then.accepted() == admitted;
        long rows = scene.ledger().accepted();
        boolean goesOn = scene.within(longestAnswer, () -> scene.ledger().accepted() > rows + ENOUGH);
        return new Return(raised, seconds, admitted - admittedBefore, shut, goesOn);
    }

    private static String sentence(Return one) {
        return String.format(
                Locale.ROOT,
                "%s after %.2f s, %d stale rows admitted until then",
                one.raised() ? "raised again" : "not raised again",
                one.seconds(),
                one.admitted());
    }

    /** Nobody leads who would notice: it stays open to that token until someone freezes once more. */
    private List<Claim> goesBackUnderAFreeze(SinkScene scene, Intruder then) throws InterruptedException {
        boolean closed = scene.freezes();
        long refused = then.refused();
        closed &= scene.within(longestAnswer, () -> then.refused() > refused);
        scene.putSinkBack();
        long admitted = then.accepted();
        boolean open = scene.within(longestAnswer, () -> then.accepted() > admitted);
        boolean again = scene.freezes();
        long refusedSince = then.refused();
        again &= scene.within(longestAnswer, () -> then.refused() > refusedSince);
        long admittedSince = then.accepted();
        again &= scene.within(longestAnswer, () -> then.refused() > refusedSince + ENOUGH)
                && then.accepted() == admittedSince;
        return List.of(
                Claim.of("a freeze closes it", closed, "it is not closed"),
                Claim.of("put back under the freeze it is open to that token, the stated limit", open, "it is not"),
                Claim.of("frozen once more it is closed, and nobody leads", again && !scene.isLed(), "it is not"));
    }

    private static Claim rowsAreInOrder(SinkScene scene) throws Exception {
        Ledger.Audit audit = scene.ledger().audit();
        return Claim.of(
                "the rows are in the order of tokens, numbers only grow",
                audit.late() == 0
                        && audit.rows() > 0
                        && scene.witness().repetitions().isEmpty()
                        && scene.witness().doubles().isEmpty(),
                audit + " " + scene.witness().repetitions() + scene.witness().doubles());
    }
}
