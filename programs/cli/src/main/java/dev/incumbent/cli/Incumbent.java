package dev.incumbent.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The head of the command line. */
@Command(
        name = "incumbent",
        synopsisSubcommandLabel = "VERB",
        description = "Leader election that is safe to build on.",
        versionProvider = Incumbent.Version.class,
        footerHeading = "%nExample:%n",
        footer = {"  $ incumbent status", "", "Each flag may also be given as a variable: --at as INCUMBENT_AT."})
final class Incumbent {
    /** The version as the build wrote it. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            try (InputStream text = Objects.requireNonNull(Incumbent.class.getResourceAsStream("version"))) {
                return new String[] {"incumbent " + new String(text.readAllBytes(), StandardCharsets.UTF_8).strip()};
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
    }
}
