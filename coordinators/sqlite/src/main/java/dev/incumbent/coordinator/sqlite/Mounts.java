package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Mounts of single files: the log and the locks beside such a database are not those that the others see. */
final class Mounts {
    private static final int MOUNT_POINT = 4;

    private Mounts() {}

    /** Refuses a database that is itself a mount point, by that list of this process's mounts. */
    static void refuseASingleFile(Path database, Path mountinfo) {
        String there = realPathOf(database);
        for (String line : linesOf(mountinfo)) {
            String[] fields = line.split(" ", MOUNT_POINT + 2);
            if (fields.length > MOUNT_POINT && unescaped(fields[MOUNT_POINT]).equals(there)) {
                throw new CoordinatorUnusableException("the coordinator " + database
                        + " is mounted as a single file, so its log and its locks are not shared with the others that use it;"
                        + " mount its folder");
            }
        }
    }

    private static String realPathOf(Path database) {
        try {
            return database.toRealPath().toString();
        } catch (IOException absent) {
            return database.toString();
        }
    }

    private static List<String> linesOf(Path mountinfo) {
        try {
            return Files.readAllLines(mountinfo);
        } catch (IOException noSuchSystem) {
            return List.of();
        }
    }

    /** The kernel writes blanks, tabs, newlines and backslashes as three octal digits behind a backslash. */
    private static String unescaped(String field) {
        return field.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
