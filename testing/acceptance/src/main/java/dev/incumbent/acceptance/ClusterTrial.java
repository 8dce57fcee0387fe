package dev.incumbent.acceptance;

import dev.incumbent.servers.Namespaces;
import dev.incumbent.servers.PostgresServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Puts ensembles of three members, or of five, to the trial, those named, all at once: {@code STORE… [--members N] [--minutes N] [--seed N] [--fault KIND]…}. Prints what befalls them, a line a claim, and last {@code N passed, N
 * failed}. Exits with 78 where no network of namespaces can be made.
 */
public final class ClusterTrial {
    private static final int MEMBERS = 3;
    private static final int MINUTES = 15;
    private static final int USAGE = 64;
    private static final int CANNOT = 78;
    private static final int SEEDS = 1_000_000;

    private ClusterTrial() {}

    /** What was asked for. */
    private record Request(List<String> stores, int members, Duration length, long seed, List<Fault> kinds) {
        static Request of(String[] arguments) {
            List<String> stores = new ArrayList<>();
            List<Fault> kinds = new ArrayList<>();
            int members = MEMBERS;
            double minutes = MINUTES;
            long seed = ThreadLocalRandom.current().nextInt(SEEDS);
            for (int i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--members" -> members = Integer.parseInt(arguments[++i]);
                    case "--minutes" -> minutes = Double.parseDouble(arguments[++i]);
                    case "--seed" -> seed = Long.parseLong(arguments[++i]);
                    case "--fault" -> kinds.add(Fault.named(arguments[++i]));
                    case "all" -> stores.addAll(Ensembles.names());
                    default -> stores.add(arguments[i]);
                }
            }
            if (stores.isEmpty() || !Ensembles.names().containsAll(stores)) {
                throw new IllegalArgumentException("name some of " + Ensembles.names() + ", or all");
            }
            if (members < 3 || members % 2 == 0) {
                throw new IllegalArgumentException("--members is 3 or 5, and is given as " + members);
            }
            return new Request(
                    stores,
                    members,
                    Duration.ofMillis((long) (minutes * 60_000)),
                    seed,
                    kinds.isEmpty() ? Fault.all() : kinds);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Request request;
        try {
            request = Request.of(arguments);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            System.err.println("cluster-trial: STORE... [--members N] [--minutes N] [--seed N] [--fault KIND]...: "
                    + e.getMessage());
            System.exit(USAGE);
            return;
        }
        try {
            System.exit(holds(request) ? 0 : 1);
        } catch (Namespaces.Forbidden forbidden) {
            System.err.println("cluster-trial: " + forbidden.getMessage());
            System.exit(CANNOT);
        }
    }

    private static boolean holds(Request request) throws InterruptedException {
        Map<String, Namespaces> networks = new LinkedHashMap<>();
        try {
            request.stores().forEach(store -> networks.put(store, Ensembles.network(request.members())));
            try (PostgresServer ledger = PostgresServer.start()) {
                Map<String, Trials.Attempts> trials = new LinkedHashMap<>();
                networks.forEach((store, network) -> {
                    Trial.Choices choices = new Trial.Choices(
                            store, ledger.jdbcUrl(), request.seed(), request.length(), request.kinds());
                    trials.put(store, attempt -> run(choices, network, attempt, request.members()));
                });
                return Trials.hold(trials);
            }
        } finally {
            networks.values().forEach(Namespaces::close);
        }
    }

    /** A network goes with what ran in it: a second attempt has one of its own. */
    private static List<Claim> run(Trial.Choices choices, Namespaces network, int attempt, int members)
            throws SQLException, InterruptedException {
        Trial trial = new Trial(choices, System.out::println);
        if (attempt == 1) {
            return trial.run(network, attempt);
        }
        try (Namespaces another = Ensembles.network(members)) {
            return trial.run(another, attempt);
        }
    }
}
