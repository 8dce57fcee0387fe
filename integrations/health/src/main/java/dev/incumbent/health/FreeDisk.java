package dev.incumbent.health;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Is there room on the file system of a path, for this process's user? It asks for bytes alone: a file system may also run out of inodes, and a quota may end
 * before the file system does. A path that is not there is sick.
 */
public final class FreeDisk implements HealthCheck {
    private final Path path;
    private final long bytes;
    private final double percent;

    private FreeDisk(Path path, long bytes, double percent) {
        this.path = path;
        this.bytes = bytes;
        this.percent = percent;
    }

    /** At least so many bytes are free. */
    public static FreeDisk atLeast(Path path, long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("at least 1 byte is free, or there is nothing to ask; not " + bytes);
        }
        return new FreeDisk(path, bytes, 0);
    }

    /** At least so much of the file system is free, of 100. */
    public static FreeDisk atLeastPercent(Path path, double percent) {
        return new FreeDisk(path, 0, Amounts.checkedPercent(percent));
    }

    @Override
    public String name() {
        return "disk " + path;
    }

    @Override
    public Answer ask(long nanos) throws IOException {
        try {
            FileStore store = Files.getFileStore(path);
            return judge(store.getUsableSpace(), store.getTotalSpace());
        } catch (NoSuchFileException absent) {
            return Answer.sick("is not there");
        }
    }

    Answer judge(long free, long all) {
        double share = all <= 0 ? 0 : Amounts.percentOf(free, all);
        String has = "has " + Amounts.bytes(free) + " free, " + Amounts.percent(share);
        if (free < bytes) {
            return Answer.sick(has + ", less than " + Amounts.bytes(bytes));
        }
        return share < percent ? Answer.sick(has + ", less than " + Amounts.percent(percent)) : Answer.well(has);
    }
}
