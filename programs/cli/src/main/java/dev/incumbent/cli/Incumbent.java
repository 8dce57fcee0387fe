package dev.incumbent.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The head of the command line. */
@Command(
        name = "incumbent",
        synopsisSubcommandLabel = "VERB",
        description = "Leader election that is safe to build on.",
        versionProvider = Incumbent.Version.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent status",
            "",
            "'incumbent help VERB' tells more of a verb. Each flag may also be given as a variable: --at as INCUMBENT_AT."
        })
final class Incumbent {
    /** The version as the build wrote it. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"incumbent " + Resource.text("version").strip()};
        }
    }
}
