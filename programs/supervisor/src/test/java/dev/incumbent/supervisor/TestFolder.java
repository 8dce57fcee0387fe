package dev.incumbent.supervisor;

import java.nio.file.Path;

/** Where the tests build the supervisor, once for all of them. */
final class TestFolder {
    static final Path PATH = Path.of("target/supervisor").toAbsolutePath();

    private TestFolder() {}

    static Path binary() {
        try {
            return SupervisorBinary.findOrBuild(PATH);
        } catch (SupervisorUnavailableException e) {
            throw new IllegalStateException(e);
        }
    }
}
