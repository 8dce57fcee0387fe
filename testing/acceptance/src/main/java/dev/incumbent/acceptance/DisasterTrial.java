package dev.incumbent.acceptance;

import dev.incumbent.servers.PostgresServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Walks through disasters, those named or all, on quorum and etcd, those named or both, one after another. Prints a line a claim, and last {@code N passed, N failed}. */
public final class DisasterTrial {
    private static final Map<String, Supplier<Fleet>> FLEETS = new LinkedHashMap<>();

    static {
        FLEETS.put("quorum", QuorumFleet::start);
        FLEETS.put("etcd", EtcdFleet::new);
    }

    private DisasterTrial() {}

    public static void main(String[] words) throws Exception {
        List<String> stores = new ArrayList<>();
        List<Walk> walks = new ArrayList<>();
        for (String word : words) {
            if (FLEETS.containsKey(word)) {
                stores.add(word);
            } else {
                walks.add(Walk.named(word)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "'" + word + "' is none of " + FLEETS.keySet() + " and no walk")));
            }
        }
        int passed = 0;
        int failed = 0;
        try (PostgresServer ledger = PostgresServer.start()) {
            for (Walk walk : walks.isEmpty() ? List.of(Walk.values()) : walks) {
                for (String store : stores.isEmpty() ? FLEETS.keySet() : stores) {
                    for (Claim claim : walked(walk, store, ledger.jdbcUrl())) {
                        claim.print(store + " " + walk.word(), System.out);
                        passed += claim.holds() ? 1 : 0;
                        failed += claim.holds() ? 0 : 1;
                    }
                }
            }
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 && passed > 0 ? 0 : 1);
    }

    private static List<Claim> walked(Walk walk, String store, String ledgerUrl) {
        String name = store + "-" + walk.word();
        try (Fleet fleet = FLEETS.getOrDefault(store, EtcdFleet::new).get();
                Scene scene = new Scene(name, fleet, ledgerUrl)) {
            scene.begin(0);
            scene.claimProgress("before");
            walk.on(scene);
            return scene.judged(name);
        } catch (Exception e) {
            return List.of(Claim.of("it runs to its end", false, String.valueOf(e)));
        }
    }
}
