package dev.incumbent.acceptance;

import dev.incumbent.acceptance.OwnersRows.Row;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Two hosts with an agent each, and owners in four languages on each, every language in an election of its own. The agents are frozen, killed and upgraded, whichever leads.
 * Used by one thread.
 */
final class TwoHosts implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(12);
    /** What an answer is worth: the owners' time to live, which is less than the agent's stop budget. */
    private static final Duration HOLDS = Duration.ofSeconds(3);
    /** What a busy machine may take between a look at the clock and a row: an owner that does not stop by itself writes for longer. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    private final Owners owners;
    private final OwnersRows rows;
    private final int attempt;
    private final SystemTimeline time = new SystemTimeline();
    private final AgentHost a;
    private final AgentHost b;
    private final List<Claim> claims = new ArrayList<>();

    TwoHosts(Owners owners, OwnersRows rows, int attempt) {
        this.owners = owners;
        this.rows = rows;
        this.attempt = attempt;
        this.a = AgentHost.start("a" + attempt, owners, rows.url(), LEASE);
        this.b = AgentHost.start("b" + attempt, owners, rows.url(), LEASE);
    }

    List<Claim> claims() throws IOException {
        moveIn(a);
        awaitRows(a, Map.of());
        tellMemory(a);
        moveIn(b);
        standsOn(b, "stands behind another");
        frozen(a, b);
        standsOn(a, "stands again when its agent is awake");
        killed(b, a);
        standsOn(b, "stands again when its agent is back");
        upgraded(a, b);
        upgraded(b, a);
        left(a, b);
        inOrder();
        return claims;
    }

    private void moveIn(AgentHost host) {
        for (Recipe recipe : Recipe.values()) {
            host.add(recipe, owners, election(recipe));
        }
    }

    private static void tellMemory(AgentHost host) throws IOException {
        for (Recipe recipe : Recipe.values()) {
            System.out.println("-- " + recipe.source() + ": " + host.resident(recipe) + " resident");
        }
    }

    private String election(Recipe recipe) {
        return "hosts" + attempt + "/" + recipe.source();
    }

    private void frozen(AgentHost host, AgentHost next) {
        Map<Recipe, Long> before = tokens(host);
        host.agent().freeze();
        long at = time.wallMillis();
        awaitRows(next, before);
        host.agent().thaw();
        stopped(host, at, "frozen");
        tellGaps(host, next, before, "frozen");
    }

    private void killed(AgentHost host, AgentHost next) {
        Map<Recipe, Long> before = tokens(host);
        host.agent().kill();
        long at = time.wallMillis();
        awaitRows(next, before);
        stopped(host, at, "killed");
        tellGaps(host, next, before, "killed");
        host.agent().startAgain();
    }

    /** The agent ends in order, and a new one takes its place. */
    private void upgraded(AgentHost host, AgentHost next) {
        Map<Recipe, Long> before = tokens(host);
        host.agent().stop();
        awaitRows(next, before);
        host.agent().startAgain();
        handsOver(host, next, before, "its agent is upgraded");
        standsOn(host, "stands again through the upgraded agent " + host.name());
    }

    /** The owners end in order. */
    private void left(AgentHost host, AgentHost next) {
        Map<Recipe, Long> before = tokens(host);
        host.stopOwners();
        awaitRows(next, before);
        handsOver(host, next, before, "it is told to end");
    }

    /** No row was written on that host after what an answer is worth: until the next term begins the fence would take it. */
    private void stopped(AgentHost host, long atMillis, String fate) {
        for (Recipe recipe : Recipe.values()) {
            long wrote = lastOf(host, recipe).atMillis() - atMillis;
            claims.add(Claim.of(
                    recipe.source() + " stops in time when its agent is " + fate,
                    wrote <= HOLDS.plus(SLACK).toMillis(),
                    "it wrote " + wrote + " ms later, and might for " + HOLDS.toMillis()));
        }
    }

    private void handsOver(AgentHost host, AgentHost next, Map<Recipe, Long> before, String when) {
        Map<Recipe, Long> gaps = tellGaps(host, next, before, when);
        gaps.forEach((recipe, gap) -> claims.add(Claim.inTime(
                recipe.source() + " hands over within half a lease when " + when,
                gap <= LEASE.toMillis() / 2 ? List.of() : List.of("nobody wrote for " + gap + " ms"))));
    }

    /** For how long nobody wrote, by language. */
    private Map<Recipe, Long> tellGaps(AgentHost host, AgentHost next, Map<Recipe, Long> before, String when) {
        Map<Recipe, Long> gaps = new EnumMap<>(Recipe.class);
        for (Recipe recipe : Recipe.values()) {
            long from = lastOf(host, recipe).atMillis();
            long to = firstAbove(next, recipe, before.getOrDefault(recipe, 0L)).atMillis();
            gaps.put(recipe, to - from);
        }
        System.out.println("-- no row, in ms, when " + when + ": " + gaps);
        return gaps;
    }

    private void standsOn(AgentHost host, String words) {
        for (Recipe recipe : Recipe.values()) {
            boolean stands = host.isStoodFor(election(recipe));
            claims.add(Claim.of(
                    recipe.source() + " " + words,
                    stands && host.owner(recipe).isRunning(),
                    host.owner(recipe).logTail()));
        }
    }

    private void inOrder() {
        for (Recipe recipe : Recipe.values()) {
            List<Row> all = rows.of(recipe.source() + " of _" + attempt);
            claims.add(Claim.of(
                    recipe.source() + ": one writes at a time, and tokens never go back", OwnersRows.disorder(all)));
            System.out.println("-- " + recipe.source() + ": " + all.size() + " rows, refused "
                    + (rows.refusals(a.who(recipe)) + rows.refusals(b.who(recipe))));
        }
    }

    /** Until every language writes on that host with a higher token than before. */
    private void awaitRows(AgentHost host, Map<Recipe, Long> before) {
        for (Recipe recipe : Recipe.values()) {
            long token = before.getOrDefault(recipe, 0L);
            Waiting.until(
                    host.who(recipe) + " writing above token " + token,
                    () -> rows.of(host.who(recipe)).stream().anyMatch(row -> row.token() > token));
        }
    }

    /** With which token each language writes on that host. */
    private Map<Recipe, Long> tokens(AgentHost host) {
        Map<Recipe, Long> tokens = new EnumMap<>(Recipe.class);
        for (Recipe recipe : Recipe.values()) {
            tokens.put(recipe, lastOf(host, recipe).token());
        }
        return tokens;
    }

    private Row lastOf(AgentHost host, Recipe recipe) {
        List<Row> all = rows.of(host.who(recipe));
        return all.get(all.size() - 1);
    }

    private Row firstAbove(AgentHost host, Recipe recipe, long token) {
        return rows.of(host.who(recipe)).stream()
                .filter(row -> row.token() > token)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        a.close();
        b.close();
        time.close();
    }
}
