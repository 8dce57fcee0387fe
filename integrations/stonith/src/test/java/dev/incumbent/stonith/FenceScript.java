package dev.incumbent.stonith;

import dev.incumbent.FenceAgent;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Holder;
import dev.incumbent.model.NodeBoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/** Real programs that act as fence agents, and what they are asked for. */
final class FenceScript {
    static final Duration BOUND = Duration.ofSeconds(10);

    private FenceScript() {}

    static Path in(Path folder, String lines) throws IOException {
        Path script = folder.resolve("fence_test");
        Files.writeString(script, "#!/bin/sh\n" + lines);
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    static Holder holder(NodeBoot on) {
        return new Holder(7, new CandidateId("ledger-1@host-4711-9f3c"), on);
    }

    static Holder elsewhere() {
        return holder(new NodeBoot("n1", "boot-of-n1", "1:2:3"));
    }

    static FenceAgent.Window window(Duration bound, boolean isOpen) {
        return new FenceAgent.Window() {
            @Override
            public Duration bound() {
                return bound;
            }

            @Override
            public boolean isOpen() {
                return isOpen;
            }
        };
    }
}
