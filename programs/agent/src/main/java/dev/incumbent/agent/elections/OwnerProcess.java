package dev.incumbent.agent.elections;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The process that does an owner's work.
 *
 * @param pid as this agent sees it
 * @param begun in ticks since the host started, so that another process that gets the same number is not taken for it
 */
public record OwnerProcess(long pid, long begun) {
    private static final int STATE = 0;
    private static final int BEGUN = 19;

    /** The one that has this number now; empty if none has. */
    public static Optional<OwnerProcess> of(long pid) {
        try (FileInputStream file = new FileInputStream("/proc/" + pid + "/stat")) {
            String stat = new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            boolean ended = fields[STATE].equals("Z") || fields[STATE].equals("X");
            return ended ? Optional.empty() : Optional.of(new OwnerProcess(pid, Long.parseLong(fields[BEGUN])));
        } catch (IOException | RuntimeException gone) {
            return Optional.empty();
        }
    }

    /** Has it ended? */
    boolean isGone() {
        return of(pid).filter(this::equals).isEmpty();
    }
}
