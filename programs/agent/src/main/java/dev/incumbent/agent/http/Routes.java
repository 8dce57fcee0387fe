package dev.incumbent.agent.http;

import dev.incumbent.agent.elections.ElectionRouter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Every address of the agent. */
final class Routes {
    private static final String ELECTIONS = "/v1/elections";
    private static final String ONE = ELECTIONS + "/" + Route.ELECTION;
    private static final String CAMPAIGN = ONE + "/campaign";
    private static final String OWNER = CAMPAIGN + "/" + Route.ID;

    private static final String DESCRIPTION = description();

    private Routes() {}

    private static String description() {
        try (InputStream file =
                Objects.requireNonNull(Routes.class.getResourceAsStream("/dev/incumbent/agent/openapi.json"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those that ask for no token, and tell nothing of elections. */
    static List<Route> open(ElectionRouter elections) {
        Dashboard dashboard = new Dashboard();
        return List.of(
                Route.of("GET", "/livez", (exchange, asked, asker) -> exchange.answer(200, "{}")),
                Route.of("GET", "/readyz", (exchange, asked, asker) -> ready(exchange, elections, asker)),
                Route.of("GET", "/", (exchange, asked, asker) -> dashboard.page(exchange)),
                Route.of(
                        "GET",
                        "/dashboard/" + Route.FILE,
                        (exchange, asked, asker) -> dashboard.file(exchange, asked.file())),
                Route.of("GET", "/openapi.json", (exchange, asked, asker) -> exchange.answer(200, DESCRIPTION)));
    }

    /** Why it is not is for whoever may read all elections, since it names some. */
    private static void ready(Exchange exchange, ElectionRouter elections, Asker asker) {
        exchange.whenKnown(elections.unready(), why -> {
            if (why.isEmpty()) {
                exchange.answer(200, "{}");
            } else {
                exchange.problem(
                        new Problem(503, "the agent is not ready" + (asker.readsAll() ? ": " + why.get() : "")));
            }
        });
    }

    /** They name elections, so they are for whoever may read all. */
    private static void metrics(Exchange exchange, Asker asker, Meters meters) {
        if (!asker.readsAll()) {
            throw new Problem(403, "only a token that may read all elections, *, may read the metrics");
        }
        exchange.answer(Meters.TYPE, meters.text());
    }

    /** All others. */
    static List<Route> of(Gate gate, ElectionRouter elections, Meters meters) {
        Following following = new Following(gate, elections);
        Reading reading = new Reading(elections);
        Overview overview = new Overview(elections);
        Campaigning campaigning = new Campaigning(elections);
        Operating operating = new Operating(elections);
        AlarmAnswers alarms = new AlarmAnswers(elections);
        WatchdogPage watchdog = new WatchdogPage(elections);
        return List.of(
                Route.of("GET", "/healthz", reading::healthy),
                Route.of("GET", "/metrics", (exchange, asked, asker) -> metrics(exchange, asker, meters)),
                Route.of("GET", "/v1/watchdog", watchdog::tell),
                Route.of("GET", "/leader/" + Route.ELECTION, reading::leads).needing(Right.READ),
                Route.of("GET", ELECTIONS, reading::list),
                Route.of("GET", "/v1/overview", overview::tell),
                Route.of("GET", "/v1/alarms", alarms::list),
                Route.of("POST", ONE + "/stale-writes", alarms::stale).needing(Right.CAMPAIGN),
                Route.of("GET", ONE, reading::one).needing(Right.READ).streaming(following::follow),
                Route.of("GET", ONE + "/history", reading::history).needing(Right.READ),
                Route.of("GET", ONE + "/check", reading::check).needing(Right.READ),
                Route.of("POST", CAMPAIGN, campaigning::stand).needing(Right.CAMPAIGN),
                Route.of("POST", OWNER, campaigning::beat).needing(Right.CAMPAIGN),
                Route.of("DELETE", OWNER, campaigning::leave).needing(Right.CAMPAIGN),
                Route.of("POST", ONE + "/transfer", operating::transfer).needing(Right.OPERATE),
                Route.of("POST", ONE + "/cancel-transfer", operating::cancelTransfer)
                        .needing(Right.OPERATE),
                Route.of("POST", ONE + "/resign", operating::resign).needing(Right.OPERATE),
                Route.of("POST", ONE + "/freeze", operating::freeze).needing(Right.OPERATE),
                Route.of("POST", ONE + "/thaw", operating::thaw).needing(Right.OPERATE),
                Route.of("POST", ONE + "/cordon", operating::cordon).needing(Right.OPERATE),
                Route.of("POST", ONE + "/uncordon", operating::uncordon).needing(Right.OPERATE));
    }
}
