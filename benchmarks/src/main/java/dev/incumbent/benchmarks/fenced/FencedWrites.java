package dev.incumbent.benchmarks.fenced;

import static dev.incumbent.benchmarks.Output.load;
import static dev.incumbent.benchmarks.Output.print;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures what a fence costs each sink's writers. {@code [--rounds N] [--seconds S] [SINK…]}, 7 rounds of a second for either side on all sinks unless said. */
public final class FencedWrites {
    private static final Map<String, Subject> SUBJECTS = subjects();

    private int rounds = 7;
    private double seconds = 1;
    private final List<String> sinks = new ArrayList<>();

    private FencedWrites() {}

    /** One sink: starts its server, and holds its contests. */
    private interface Subject {
        void contendOver(Rounds rounds) throws Exception;
    }

    private static Map<String, Subject> subjects() {
        Map<String, Subject> all = new LinkedHashMap<>();
        all.put("postgresql", SqlWrites::postgres);
        all.put("mariadb", SqlWrites::mariaDb);
        all.put("h2", SqlWrites::h2);
        all.put("sqlite", SqlWrites::sqlite);
        all.put("redis", RedisWrites::contendOver);
        all.put("etcd", EtcdWrites::contendOver);
        all.put("dynamodb", DynamoDbWrites::contendOver);
        return all;
    }

    /** Measures and prints. */
    public static void main(String[] args) throws Exception {
        FencedWrites all = new FencedWrites();
        if (!all.understands(args)) {
            System.err.println(
                    "fenced-writes [--rounds N] [--seconds S] [" + String.join("|", SUBJECTS.keySet()) + "…]");
            System.exit(64);
        }
        all.run();
        System.exit(0); // clients' threads need not end by themselves
    }

    private boolean understands(String... args) {
        try {
            for (int i = 0; i < args.length; i++) {
                switch (args[i]) {
                    case "--rounds" -> rounds = Integer.parseInt(args[++i]);
                    case "--seconds" -> seconds = Double.parseDouble(args[++i]);
                    default -> sinks.add(args[i]);
                }
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return false;
        }
        if (sinks.isEmpty()) {
            sinks.addAll(SUBJECTS.keySet());
        }
        return SUBJECTS.keySet().containsAll(sinks) && rounds > 0 && seconds > 0;
    }

    private void run() throws Exception {
        print(
                "%d writers, %d rounds of %.1f s for either side; JDK %s",
                Rounds.WRITERS, rounds, seconds, System.getProperty("java.version"));
        try (Rounds contests = new Rounds(rounds, seconds)) {
            for (Map.Entry<String, Subject> one : SUBJECTS.entrySet()) {
                if (sinks.contains(one.getKey())) {
                    print("%s, load %s", one.getKey(), load());
                    one.getValue().contendOver(contests);
                }
            }
        }
        print("load at the end %s", load());
    }
}
