package dev.incumbent.examples.sinks;

import dev.incumbent.Leadership;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.file.FencedFile;
import dev.incumbent.fence.file.FileWrite;
import dev.incumbent.model.ElectionName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Appends to a file behind the fence. */
public final class FileLedger {
    private FileLedger() {}

    /** Appends a line, for as long as this process leads. */
    public static void append(ElectionName election, Leadership leadership, byte[] line)
            throws FenceException, IOException {
        FileWrite write = FencedFile.at(Path.of("/var/lib/app/ledger.txt"), Duration.ofSeconds(5))
                .begin();
        write.admit(election, leadership.token());
        write.append(line); // or write.replace(all)
        write.commit(); // StaleTokenException: stop at once
    }
}
