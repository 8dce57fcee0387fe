package dev.incumbent.acceptance;

import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tries the owners of examples/agent over a fenced PostgreSQL: each alone before an agent that plays a part, and all of them on two hosts. Prints a line for each claim;
 * the last line is {@code N passed, N failed}.
 */
public final class AgentRecipes {
    private static final String HOSTS = "two hosts";

    private AgentRecipes() {}

    public static void main(String[] names) throws Exception {
        boolean hold;
        try (TemporaryFolder folder = TemporaryFolder.create("owners");
                PostgresServer postgres = OwnersRows.server();
                OwnersRows rows = OwnersRows.create(postgres)) {
            Map<String, Trials.Attempts> trials = trials(Owners.prepare(folder, postgres), rows);
            trials.keySet()
                    .removeIf(trial -> names.length > 0 && Arrays.stream(names).noneMatch(trial::contains));
            hold = Trials.hold(trials);
        }
        System.exit(hold ? 0 : 1);
    }

    private static Map<String, Trials.Attempts> trials(Owners owners, OwnersRows rows) {
        Map<String, Trials.Attempts> trials = new LinkedHashMap<>();
        for (Recipe recipe : Recipe.values()) {
            trials.put(recipe.source(), attempt -> alone(new ScriptedScene(owners, rows, recipe, attempt)));
        }
        trials.put(HOSTS, attempt -> onTwoHosts(new TwoHosts(owners, rows, attempt)));
        return trials;
    }

    private static List<Claim> alone(ScriptedScene scene) throws InterruptedException {
        try (scene) {
            return scene.claims();
        }
    }

    private static List<Claim> onTwoHosts(TwoHosts hosts) throws IOException {
        try (hosts) {
            return hosts.claims();
        }
    }
}
