package dev.incumbent.acceptance;

import dev.incumbent.servers.Languages;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.ServerProcess;
import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Starts owners as processes of their own; the variables of PostgreSQL's clients name the database to them, and bear their names into it. */
final class Owners {
    private final TemporaryFolder folder;
    private final Map<String, String> environment;

    private Owners(TemporaryFolder folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    static Owners prepare(TemporaryFolder folder, PostgresServer postgres) throws IOException {
        Recipe.prepareAll(folder.path());
        return new Owners(
                folder,
                Map.of(
                        "PGHOST",
                        "127.0.0.1",
                        "PGPORT",
                        Integer.toString(postgres.port()),
                        "PGUSER",
                        PostgresServer.USER,
                        "PGPASSWORD",
                        PostgresServer.PASSWORD,
                        "PGDATABASE",
                        "postgres",
                        "PGSSLMODE",
                        "disable",
                        "NODE_PATH",
                        Languages.nodeModules().toString()));
    }

    /** Starts one, whose rows bear that name. */
    ServerProcess start(Recipe recipe, String who, Path socket, String election) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("PGAPPNAME", who);
        return ServerProcess.start(who, recipe.command(socket.toString(), election), all, folder.path(), () -> true);
    }

    /** Where a socket of that name may be. */
    Path socket(String name) {
        return folder.resolve(name + ".sock");
    }

    Path folder() {
        return folder.path();
    }
}
