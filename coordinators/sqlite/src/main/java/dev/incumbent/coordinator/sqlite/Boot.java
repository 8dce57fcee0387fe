package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One run of this machine, during which its monotonic clock counts on. Leases of another boot are dead, for the clock they were
 * measured on is gone.
 *
 * @param id the kernel's name for it; empty where the system has none
 */
record Boot(String id) {
    /** This machine's; refuses a process that cannot tell it, or whose clock is not the machine's. */
    static Boot current() {
        return of(Path.of("/proc"), System.getProperty("os.name"));
    }

    static Boot of(Path proc, String system) {
        refuseAClockOfItsOwn(proc.resolve("self/timens_offsets"));
        Path id = proc.resolve("sys/kernel/random/boot_id");
        try {
            return new Boot(Files.readString(id).strip());
        } catch (IOException e) {
            if (!system.equals("Linux")) {
                return new Boot("");
            }
            throw new CoordinatorUnusableException(
                    "an embedded file cannot be the coordinator here: " + id + " cannot be read, so a lease of before a"
                            + " reboot could not be told from a live one; let this process read it (systemd hides it by"
                            + " ProcSubset=pid)",
                    e);
        }
    }

    /** In a time namespace of its own a process would measure the others' leases by another clock. */
    private static void refuseAClockOfItsOwn(Path offsets) {
        for (String line : linesOf(offsets)) {
            String[] words = line.strip().split(" +", -1);
            if (words[0].equals("monotonic") && !(words[1].equals("0") && words[2].equals("0"))) {
                throw new CoordinatorUnusableException(
                        "an embedded file cannot be the coordinator here: this process is in a time namespace whose clock is "
                                + words[1]
                                + " s from the machine's, so it would misjudge the leases of others; run it in the"
                                + " machine's own");
            }
        }
    }

    private static List<String> linesOf(Path offsets) {
        try {
            return Files.readAllLines(offsets);
        } catch (IOException noTimeNamespaces) {
            return List.of();
        }
    }

    boolean isKnown() {
        return !id.isEmpty();
    }
}
