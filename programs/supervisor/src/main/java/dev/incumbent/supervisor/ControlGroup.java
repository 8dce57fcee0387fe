package dev.incumbent.supervisor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The control group (version 2) that a supervisor has made for its command: the kernel kills all that is in it at one blow, also what
 * changed its user or dropped the mark. Immutable.
 */
record ControlGroup(Path folder) {
    private static final String NOBODY = "populated 0";

    /** Kills all that is in it; does nothing where the supervisor has removed it. */
    void kill() {
        try {
            Files.writeString(folder.resolve("cgroup.kill"), "1");
        } catch (IOException removed) {
            return;
        }
    }

    /** Whether a process of it is alive. */
    boolean isPopulated() {
        try {
            return !Files.readString(folder.resolve("cgroup.events")).contains(NOBODY);
        } catch (IOException removed) {
            return false;
        }
    }

    /** Removes it, unless somebody is in it. */
    void remove() {
        try {
            Files.deleteIfExists(folder);
        } catch (IOException populated) {
            return;
        }
    }
}
