package dev.incumbent.acceptance;

import dev.incumbent.servers.Languages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** An owner of examples/agent: a program that holds an election through the agent of its host, and writes rows meanwhile. */
enum Recipe {
    SHELL("owner.sh") {
        @Override
        List<String> command(String socket, String election) {
            return List.of("./owner.sh", socket, election, "./write.sh", election);
        }
    },
    PYTHON("owner.py") {
        @Override
        List<String> command(String socket, String election) {
            return List.of(Languages.python(), "owner.py", socket, election);
        }
    },
    NODE("owner.mjs") {
        @Override
        List<String> command(String socket, String election) {
            return List.of("node", "owner.mjs", socket, election);
        }
    },
    GO("owner.go") {
        @Override
        List<String> command(String socket, String election) {
            return List.of("./owner", socket, election);
        }
    };

    private static final Path SOURCES = Path.of("examples", "agent");

    private final String source;

    Recipe(String source) {
        this.source = source;
    }

    /** What starts it in that folder. */
    abstract List<String> command(String socket, String election);

    String source() {
        return source;
    }

    /** Copies the sources of all into a folder, in which they can be started then. */
    static void prepareAll(Path folder) throws IOException {
        try (var sources = Files.list(SOURCES)) {
            for (Path one : sources.toList()) {
                Files.copy(one, folder.resolve(one.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Files.createSymbolicLink(folder.resolve("node_modules"), Languages.nodeModules());
        Languages.buildGo(folder.resolve(GO.source), folder.resolve("owner"));
    }
}
