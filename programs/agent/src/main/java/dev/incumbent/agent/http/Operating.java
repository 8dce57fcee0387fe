package dev.incumbent.agent.http;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.ElectionAdmin.Until;
import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.agent.elections.HostElections;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.telling.CordonOutcome;
import dev.incumbent.telling.FreezeOutcome;
import dev.incumbent.telling.Outcome;
import dev.incumbent.telling.PlanOutcome;
import dev.incumbent.telling.ResignOutcome;
import dev.incumbent.telling.ThawOutcome;
import dev.incumbent.telling.TimeText;
import dev.incumbent.telling.TransferOutcome;
import dev.incumbent.wire.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;

/** What an operator does to an election: transfer, now or planned for later, resign, freeze, thaw, cordon, uncordon. Each is answered once it has ended, and is bounded. Thread-safe. */
final class Operating {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(5);
    private static final int LONGEST_WHY = 200;
    private static final int LONGEST_NAME = 100;
    private static final Pattern WORD = Pattern.compile("[!-~]{1," + LONGEST_NAME + "}");

    private final ElectionRouter elections;

    Operating(ElectionRouter elections) {
        this.elections = elections;
    }

    void transfer(Exchange exchange, Asked asked, Asker asker) {
        Json body = body(exchange, "to", "timeoutMs", "notBefore");
        String to = text(body, "to");
        Duration timeout = timeout(body);
        if (body.has("notBefore")) {
            PlannedTransfer plan = plan(to, by(body, asker), text(body, "notBefore"));
            perform(
                    exchange,
                    asked.election(),
                    plan.by(),
                    admin -> admin.planTransfer(plan.to(), plan.notBefore()),
                    PlanOutcome::of);
            return;
        }
        perform(
                exchange,
                asked.election(),
                by(body, asker),
                admin -> admin.transferTo(to, timeout),
                TransferOutcome::of);
    }

    void cancelTransfer(Exchange exchange, Asked asked, Asker asker) {
        Json body = body(exchange);
        perform(exchange, asked.election(), by(body, asker), ElectionAdmin::cancelTransfer, PlanOutcome::of);
    }

    /** What no record could hold is refused before the store is asked. */
    private static PlannedTransfer plan(String to, String by, String notBefore) {
        try {
            return new PlannedTransfer(by, to, TimeText.parse(notBefore), Instant.EPOCH);
        } catch (IllegalArgumentException none) {
            throw Problem.unclear(String.valueOf(none.getMessage()));
        }
    }

    void resign(Exchange exchange, Asked asked, Asker asker) {
        Json body = body(exchange, "timeoutMs");
        Duration timeout = timeout(body);
        perform(exchange, asked.election(), by(body, asker), admin -> admin.resign(timeout), ResignOutcome::of);
    }

    void freeze(Exchange exchange, Asked asked, Asker asker) {
        Json body = body(exchange, "why", "wait");
        String why = text(body, "why");
        if (why.length() > LONGEST_WHY || why.chars().anyMatch(Character::isISOControl)) {
            throw Problem.unclear("why has 1 to " + LONGEST_WHY + " characters, none of them a control character");
        }
        Until until = until(body);
        List<Sink> sinks = elections.of(asked.election()).sinks();
        perform(
                exchange,
                asked.election(),
                by(body, asker),
                admin -> admin.freeze(why, sinks, until),
                FreezeOutcome::of);
    }

    void cordon(Exchange exchange, Asked asked, Asker asker) {
        Json body = body(exchange, "whom", "why");
        Cordon cordon = cordon(text(body, "whom"), by(body, asker), text(body, "why"));
        perform(
                exchange,
                asked.election(),
                cordon.by(),
                admin -> admin.cordon(cordon.whom(), cordon.why()),
                CordonOutcome::of);
    }

    void uncordon(Exchange exchange, Asked asked, Asker asker) {
        Json body = body(exchange, "whom");
        Cordon lifted = cordon(text(body, "whom"), by(body, asker), "");
        perform(exchange, asked.election(), lifted.by(), admin -> admin.uncordon(lifted.whom()), CordonOutcome::of);
    }

    /** What no record could hold is refused before the store is asked. */
    private static Cordon cordon(String whom, String by, String why) {
        try {
            return new Cordon(whom, by, why, Instant.EPOCH);
        } catch (IllegalArgumentException none) {
            throw Problem.unclear(String.valueOf(none.getMessage()));
        }
    }

    void thaw(Exchange exchange, Asked asked, Asker asker) {
        Json body = body(exchange);
        List<Sink> sinks = elections.of(asked.election()).sinks();
        perform(exchange, asked.election(), by(body, asker), admin -> admin.thaw(sinks), ThawOutcome::of);
    }

    /** An operation may last longer than a connection may be silent. */
    private <T> void perform(
            Exchange exchange,
            ElectionName election,
            String by,
            Function<ElectionAdmin, CompletionStage<T>> operation,
            BiFunction<ElectionName, T, Outcome> telling) {
        HostElections own = elections.of(election);
        exchange.mayBeSilent();
        exchange.whenKnown(own.isKnown(election), known -> {
            if (!known) {
                throw new Problem(404, "there is no election " + election + " here: look at its name");
            }
            exchange.whenKnown(
                    operation.apply(own.operator(election, by)),
                    ended -> exchange.outcome(telling.apply(election, ended)));
        });
    }

    private static Json body(Exchange exchange, String... known) {
        List<String> names = new ArrayList<>(Arrays.asList(known));
        names.add("by");
        return exchange.body(names);
    }

    private static String text(Json body, String name) {
        if (body.at(name).kind() != Json.Kind.TEXT || body.at(name).text().isBlank()) {
            throw Problem.unclear("the body needs the field " + name + ", a text");
        }
        return body.at(name).text();
    }

    /** As records and marks remember it: one word, such as {@code ann@host}. */
    private static String by(Json body, Asker asker) {
        String name = body.has("by") ? text(body, "by") : asker.user().orElse("token") + "@agent";
        if (!WORD.matcher(name).matches()) {
            throw Problem.unclear("by is one word of at most " + LONGEST_NAME + " printable characters of ASCII");
        }
        return name;
    }

    private static Duration timeout(Json body) {
        Duration asked = body.has("timeoutMs") ? Duration.ofMillis(exact(body)) : TIMEOUT;
        if (asked.isNegative() || asked.isZero() || asked.compareTo(LONGEST_TIMEOUT) > 0) {
            throw Problem.unclear("timeoutMs is 1 to " + LONGEST_TIMEOUT.toMillis());
        }
        return asked;
    }

    private static long exact(Json body) {
        return Campaigning.number(body, "timeoutMs");
    }

    private static Until until(Json body) {
        if (!body.has("wait")) {
            return Until.VACANT;
        }
        if (!text(body, "wait").equals("quiet")) {
            throw Problem.unclear("wait is quiet, or is left out");
        }
        return Until.QUIET;
    }
}
