package dev.incumbent.supervisor;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

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

    /** Removes it and the groups that were made in it, unless somebody is there. */
    void remove() {
        remove(folder.toFile());
    }

    private static void remove(File group) {
        File[] inner = group.listFiles(File::isDirectory);
        if (inner != null) {
            Arrays.stream(inner).forEach(ControlGroup::remove);
        }
        try {
            Files.deleteIfExists(group.toPath());
        } catch (IOException populated) {
            return;
        }
    }
}
