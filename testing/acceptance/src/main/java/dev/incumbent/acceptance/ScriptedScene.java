package dev.incumbent.acceptance;

import dev.incumbent.acceptance.OwnersRows.Row;
import dev.incumbent.acceptance.ScriptedAgent.Reply;
import dev.incumbent.acceptance.ScriptedAgent.Request;
import dev.incumbent.servers.ServerProcess;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One owner before an agent that plays a part: each duty of an owner is looked at alone. Used by one thread. */
final class ScriptedScene implements AutoCloseable {
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);
    private static final Duration HOLDS = Duration.ofMillis(1500);
    /** How late the last answer comes: less than the second that an owner waits for one. */
    private static final Duration LATE = Duration.ofMillis(700);
    /** What a busy machine may take between a look at the clock and a row; less than what is late. */
    private static final Duration SLACK = Duration.ofMillis(400);

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SETTLED = Duration.ofMillis(500);
    private static final int ENOUGH = 5;
    private static final long TOKEN = 5;

    private final String who;
    private final String election;
    private final OwnersRows rows;
    private final SystemTimeline time = new SystemTimeline();
    private final ScriptedAgent agent;
    private final ServerProcess owner;
    private final List<Claim> claims = new ArrayList<>();

    ScriptedScene(Owners owners, OwnersRows rows, Recipe recipe, int attempt) throws IOException {
        this.who = recipe.source() + " alone " + attempt;
        this.election = "alone/" + recipe.source() + attempt;
        this.rows = rows;
        rows.raise(election, TOKEN);
        agent = ScriptedAgent.open(time, owners.socket("alone-" + recipe.source() + attempt), HEARTBEAT);
        agent.plays(beat -> Reply.leads(TOKEN, HOLDS));
        owner = owners.start(recipe, who, owners.socket("alone-" + recipe.source() + attempt), election);
    }

    List<Claim> claims() throws InterruptedException {
        beatsInTime();
        countsFromWhenItSent();
        saysThatItStopped();
        standsAgain();
        isRefusedWhenLate();
        leaves();
        return claims;
    }

    private void beatsInTime() {
        Waiting.within(LONG, () -> heard(Request::isHeartbeat).count() > ENOUGH);
        List<Long> beats = heard(Request::isHeartbeat).map(Request::atMillis).toList();
        long usual = IntStream.range(1, beats.size())
                .mapToLong(i -> beats.get(i) - beats.get(i - 1))
                .sorted()
                .skip((beats.size() - 1) / 2)
                .findFirst()
                .orElseThrow();
        System.out.println("-- " + who + ": a heartbeat every " + usual + " ms, of " + HEARTBEAT.toMillis());
        claims.add(Claim.inTime(
                "it sends heartbeats as often as it was told to",
                usual <= HEARTBEAT.toMillis() ? List.of() : List.of("one every " + usual + " ms")));
    }

    /** A late answer is the last one; then the agent is gone. */
    private void countsFromWhenItSent() throws InterruptedException {
        CompletableFuture<Request> last = new CompletableFuture<>();
        writesMore();
        agent.plays(beat -> last.complete(beat) ? Reply.leads(TOKEN, HOLDS).keptBack(LATE) : Reply.NONE);
        long sentAt = last.join().atMillis();
        SystemTimeline.sleep(HOLDS.plus(LATE).plus(SLACK));
        long wrote = lastRow().atMillis() - sentAt;
        System.out.println("-- " + who + ": its last row " + wrote + " ms after it asked, of " + HOLDS.toMillis());
        claims.add(Claim.of(
                "it stops by itself, counted from when it asked",
                wrote <= HOLDS.plus(SLACK).toMillis(),
                "it wrote " + wrote + " ms after it had asked, and might for " + HOLDS.toMillis()));
    }

    private void saysThatItStopped() throws InterruptedException {
        agent.plays(beat -> Reply.leads(TOKEN, HOLDS));
        writesMore();
        agent.plays(beat -> Reply.ended(TOKEN));
        boolean said = hears(request -> request.body().equals("{\"stopped\":" + TOKEN + "}"));
        long saidAt = time.wallMillis();
        agent.plays(beat -> Reply.waits());
        SystemTimeline.sleep(SETTLED);
        claims.add(Claim.of("it says that its work has stopped", said, "it did not within " + LONG));
        claims.add(Claim.of("and its work has", lastRow().atMillis() <= saidAt, "it wrote " + lastRow() + " after it"));
    }

    private void standsAgain() {
        long before = heard(Request::isToStand).count();
        agent.plays(beat -> Reply.unknown());
        boolean stands = Waiting.within(LONG, () -> heard(Request::isToStand).count() > before);
        claims.add(Claim.of("withdrawn, it stands again", stands, "it did not within " + LONG));
    }

    /** The agent lies: another leader was announced. */
    private void isRefusedWhenLate() throws InterruptedException {
        agent.plays(beat -> Reply.waits());
        SystemTimeline.sleep(SETTLED);
        rows.raise(election, TOKEN + 1);
        long before = rows.of(who).size();
        agent.plays(beat -> Reply.leads(TOKEN, HOLDS));
        boolean refused = Waiting.within(
                LONG, () -> rows.refusals(who) > 0 || rows.of(who).size() > before);
        SystemTimeline.sleep(SETTLED);
        long accepted = rows.of(who).size() - before;
        claims.add(Claim.of(
                "its late writes are refused by PostgreSQL",
                refused && accepted == 0 && rows.refusals(who) > 0,
                rows.refusals(who) + " were refused and " + accepted + " accepted"));
        claims.add(Claim.of("and it lives on", owner.isRunning(), owner.logTail()));
    }

    private void leaves() {
        owner.stop();
        claims.add(Claim.of(
                "told to end, it leaves",
                heard(Request::isToLeave).count() == 1,
                "it ended without a DELETE: " + owner.logTail()));
    }

    /** Lets it write some rows more than there are. */
    private void writesMore() {
        int before = rows.of(who).size();
        boolean writes = Waiting.within(LONG, () -> rows.of(who).size() >= before + ENOUGH);
        if (!writes) {
            throw new IllegalStateException(who + " does not write: " + owner.logTail());
        }
    }

    private Row lastRow() {
        List<Row> all = rows.of(who);
        return all.get(all.size() - 1);
    }

    private boolean hears(Predicate<Request> wanted) {
        return Waiting.within(LONG, () -> heard(wanted).findAny().isPresent());
    }

    private Stream<Request> heard(Predicate<Request> wanted) {
        return agent.heard().stream().filter(wanted);
    }

    @Override
    public void close() {
        owner.close();
        agent.close();
        time.close();
    }
}
