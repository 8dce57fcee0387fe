package dev.incumbent.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Looks at each outcome, counts the answers, and keeps what is wrong. Thread-safe. */
public final class Findings {
    private static final Pattern STACK = Pattern.compile("\\s[\\w.$/]+\\(\\w+\\.java:\\d+\\)");
    private static final int MOST_OF_A_KIND = 3;

    private final List<String> secrets;
    private final Map<String, Predicate<Outcome>> rules;
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> kinds = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

    /**
     * Of a server.
     *
     * @param secrets the cores of its tokens, which also those bear that are nearly right; none may be answered
     * @param rules sentences that hold for every outcome, each with its test
     */
    public Findings(List<String> secrets, Map<String, Predicate<Outcome>> rules) {
        this.secrets = List.copyOf(secrets);
        this.rules = Map.copyOf(rules);
    }

    /** Looks at one. */
    public void take(Outcome outcome) {
        counts.computeIfAbsent(
                        outcome.statuses().isEmpty()
                                ? outcome.how().toString()
                                : outcome.statuses().get(0).toString(),
                        any -> new LongAdder())
                .increment();
        why(outcome).forEach(why -> note(why + ": " + outcome));
    }

    private List<String> why(Outcome outcome) {
        List<String> why = new ArrayList<>();
        if (outcome.how() == Outcome.How.NOT_TAKEN || outcome.how() == Outcome.How.HANGS) {
            why.add("the server " + outcome.how());
        }
        if (secrets.stream().anyMatch(outcome.answer()::contains)) {
            why.add("a secret was answered");
        }
        if (STACK.matcher(outcome.answer()).find()) {
            why.add("a stack was answered");
        }
        rules.forEach((rule, holds) -> {
            if (!holds.test(outcome)) {
                why.add("it is not so that " + rule + ", but " + outcome.statuses());
            }
        });
        return why;
    }

    /** Keeps what is wrong elsewhere; of each kind, which is told before the first colon, the first few. */
    public void note(String what) {
        int end = what.indexOf(':');
        LongAdder ofKind = kinds.computeIfAbsent(end < 0 ? what : what.substring(0, end), any -> new LongAdder());
        ofKind.increment();
        if (ofKind.sum() <= MOST_OF_A_KIND) {
            wrong.add(what);
        }
    }

    /** Keeps a line of a log that tells a secret. */
    public void heard(String line) {
        if (secrets.stream().anyMatch(line::contains)) {
            note("a secret was logged: " + line);
        }
    }

    /** What is wrong. */
    public List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** How many outcomes had which first status, or ended how. */
    public Map<String, Long> counts() {
        Map<String, Long> all = new TreeMap<>();
        counts.forEach((status, count) -> all.put(status, count.sum()));
        return all;
    }
}
