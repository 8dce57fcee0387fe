package dev.incumbent.cli.doctor;

import java.nio.file.Path;

/**
 * What {@code doctor} looks at of the machine that it runs on.
 *
 * @param proc where the kernel tells of itself
 * @param supervisor the program of {@code run}; empty where none is known
 */
public record Machine(Path proc, String supervisor) {
    /** This one, as the launcher tells it. */
    static Machine ofThisProcess() {
        return new Machine(Path.of("/proc"), System.getProperty("incumbent.supervisor", ""));
    }
}
