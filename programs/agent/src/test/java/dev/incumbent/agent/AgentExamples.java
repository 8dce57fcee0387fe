package dev.incumbent.agent;

import dev.incumbent.fuzz.Example;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Requests to an agent. All addresses stand in {@link #ROUTES}: a new one is a line there.
 *
 * @param elections where a hostile request may want to stand, as they are written in an address
 * @param ids candidacies that stand
 */
record AgentExamples(List<String> elections, List<String> ids) {
    /** May stand and operate beneath {@code fuzz/}, and read beneath {@code readable/}. */
    static final String FUZZ = "token-KxW9qLmZ-of-the-fuzzer";

    static final String OWNER = "token-Vb3TnQpR-of-the-owners";
    /** Shown by nobody. */
    private static final String OTHER = "token-Hd7YsJfC-of-nobody-here";

    /** Parts of the tokens, which also those bear that are nearly right. */
    static final List<String> CORES = List.of("KxW9qLmZ", "Vb3TnQpR", "Hd7YsJfC");

    static final String TOKENS = FUZZ + " fuzz/ operate\n" + FUZZ + " readable/ read\n" + OWNER + " guarded/ campaign\n"
            + OWNER + " readable/ campaign\n" + OTHER + " * operate\n";

    private static final String EVENTS = "Accept: text/event-stream";

    /** The operator's are about an election that nobody knows: others take as long as leases. {@code {e}} is an election, {@code {id}} a candidacy, {@code {n}} a number, {@code {d}} a duration and {@code {s}} a text. */
    private static final List<Route> ROUTES = List.of(
            new Route("GET", "/livez", ""),
            new Route("GET", "/readyz", ""),
            new Route("GET", "/", ""),
            new Route("GET", "/dashboard/agent.js", ""),
            new Route("GET", "/dashboard/{id}", ""),
            new Route("GET", "/healthz", ""),
            new Route("GET", "/metrics", ""),
            new Route("GET", "/v1/elections", ""),
            new Route("GET", "/v1/elections/{e}", ""),
            new Route("GET", "/v1/elections/{e}?index={n}&wait={d}", ""),
            new Route("GET", "/v1/elections/{e}", "", EVENTS),
            new Route("GET", "/v1/elections/{e}", "", EVENTS + "\r\nLast-Event-ID: {n}"),
            new Route("GET", "/v1/elections/{e}/history", ""),
            new Route("GET", "/v1/overview?of={e},fuzz%2Fone", ""),
            new Route("GET", "/v1/alarms", ""),
            new Route("POST", "/v1/elections/{e}/stale-writes", "{\"token\":{n},\"sink\":\"{s}\",\"inForce\":\"{s}\"}"),
            new Route("GET", "/leader/{e}", ""),
            new Route("GET", "/healthz?leader={e}", ""),
            new Route("GET", "/openapi.json", ""),
            new Route("GET", "/v1/elections/{e}/check?token={n}&need={d}", ""),
            new Route("POST", "/v1/elections/{e}/campaign", "{\"ttlMs\":{n},\"name\":\"{s}\"}"),
            new Route("POST", "/v1/elections/{e}/campaign/{id}?wait={d}", "{}"),
            new Route("POST", "/v1/elections/{e}/campaign/{id}?wait={d}", "{\"stopped\":{n}}"),
            new Route("DELETE", "/v1/elections/{e}/campaign/{id}", ""),
            new Route(
                    "POST", "/v1/elections/fuzz%2Fnone/transfer", "{\"to\":\"{s}\",\"by\":\"{s}\",\"timeoutMs\":{n}}"),
            new Route(
                    "POST",
                    "/v1/elections/fuzz%2Fnone/transfer",
                    "{\"to\":\"{s}\",\"by\":\"{s}\",\"notBefore\":\"{s}\"}"),
            new Route("POST", "/v1/elections/fuzz%2Fnone/cancel-transfer", "{\"by\":\"{s}\"}"),
            new Route("POST", "/v1/elections/fuzz%2Fnone/resign", "{\"by\":\"{s}\",\"timeoutMs\":{n}}"),
            new Route(
                    "POST", "/v1/elections/fuzz%2Fnone/freeze", "{\"by\":\"{s}\",\"why\":\"{s}\",\"wait\":\"quiet\"}"),
            new Route("POST", "/v1/elections/fuzz%2Fnone/cordon", "{\"by\":\"{s}\",\"whom\":\"{s}\",\"why\":\"{s}\"}"),
            new Route("POST", "/v1/elections/fuzz%2Fnone/uncordon", "{\"by\":\"{s}\",\"whom\":\"{s}\"}"),
            new Route("POST", "/v1/elections/fuzz%2Fnone/thaw", "{\"by\":\"{s}\"}"));

    private static final Map<String, String> PLAIN =
            Map.of("e", "fuzz%2Fone", "id", "none", "n", "3000", "d", "1s", "s", "closer");

    private static final Map<String, List<String>> HOSTILE = Map.of(
            "e", HostileTexts.ELECTIONS,
            "id", HostileTexts.IDS,
            "n", HostileTexts.NUMBERS,
            "d", HostileTexts.DURATIONS,
            "s", HostileTexts.TEXTS);

    private static final Pattern BLANK = Pattern.compile("\\{(e|id|n|d|s)}");

    /** An address, the body that it takes, and the lines of a header that it takes, or none. */
    private record Route(String method, String path, String body, String header) {
        Route(String method, String path, String body) {
            this(method, path, body, "");
        }

        Example filled(UnaryOperator<String> values, String authorization) {
            Example plain = Example.of(method, filled(path, values), filled(body, values), authorization);
            return header.isEmpty() ? plain : plain.withHeader(filled(header, values));
        }

        private static String filled(String text, UnaryOperator<String> values) {
            return BLANK.matcher(text).replaceAll(blank -> value(blank, values));
        }

        private static String value(MatchResult blank, UnaryOperator<String> values) {
            return Matcher.quoteReplacement(values.apply(blank.group(1)));
        }
    }

    /** One for each route, as the agent understands it; the malformed ones are made of these. */
    List<Example> understood() {
        return ROUTES.stream()
                .map(route -> route.filled(
                        blank -> blank.equals("id") ? ids.get(0) : PLAIN.getOrDefault(blank, ""), bearer(FUZZ)))
                .toList();
    }

    /** So many that are hostile, and follow from the seed. */
    List<Example> hostile(long seed, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> hostile(new Random(seed * 1_000_003 + i)))
                .toList();
    }

    private Example hostile(Random dice) {
        Route route = pick(dice, ROUTES);
        Example made = route.filled(
                blank -> value(dice, blank), dice.nextInt(16) == 0 ? bearer("unknown-token-of-nobody") : bearer(FUZZ));
        String body = dice.nextInt(3) == 0 ? pick(dice, HostileTexts.BODIES) : made.body();
        List<String> headers = new ArrayList<>(made.headers());
        if (dice.nextInt(5) == 0) {
            headers.add(dice.nextInt(headers.size() + 1), pick(dice, HostileTexts.HEADERS));
        }
        return new Example(made.method(), made.path(), headers, body);
    }

    /** Most are right, so that what is wrong behind them is reached. */
    private String value(Random dice, String blank) {
        if (dice.nextInt(4) > 0) {
            return switch (blank) {
                case "e" -> pick(dice, elections);
                case "id" -> pick(dice, ids);
                default -> PLAIN.getOrDefault(blank, "");
            };
        }
        return pick(dice, HOSTILE.getOrDefault(blank, List.of("")));
    }

    private static String bearer(String token) {
        return "Authorization: Bearer " + token;
    }

    private static <T> T pick(Random dice, List<T> from) {
        return from.get(dice.nextInt(from.size()));
    }
}
