package dev.incumbent.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Mounts of single files: the log and the locks beside such a database are not those that the others see. */
public final class Mounts {
    private static final Path OF_THIS_PROCESS = Path.of("/proc/self/mountinfo");
    private static final int MOUNT_POINT = 4;

    private Mounts() {}

    /** Is this database itself a mount point of this process? Never where the system does not list its mounts. */
    public static boolean isSingleFile(Path database) {
        return isSingleFile(database, OF_THIS_PROCESS);
    }

    /** The same by that list of mounts. */
    static boolean isSingleFile(Path database, Path mountinfo) {
        String there = realPathOf(database);
        return linesOf(mountinfo).stream()
                .map(line -> line.split(" ", MOUNT_POINT + 2))
                .anyMatch(fields -> fields.length > MOUNT_POINT
                        && unescaped(fields[MOUNT_POINT]).equals(there));
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
