package dev.incumbent.coordinator.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One run of this machine, during which its monotonic clock counts on. Leases of another boot are dead, for the clock they were
 * measured on is gone.
 *
 * @param id the kernel's name for it; empty where the system has none
 */
record Boot(String id) {
    private static final Path KERNELS = Path.of("/proc/sys/kernel/random/boot_id");

    static Boot current() {
        try {
            return new Boot(Files.readString(KERNELS).strip());
        } catch (IOException noSuchSystem) {
            return new Boot("");
        }
    }

    boolean isKnown() {
        return !id.isEmpty();
    }
}
