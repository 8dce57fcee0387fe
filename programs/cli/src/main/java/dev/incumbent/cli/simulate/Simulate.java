package dev.incumbent.cli.simulate;

import picocli.CommandLine.Command;

/** The head of the group {@code simulate}. */
@Command(
        name = "simulate",
        synopsisSubcommandLabel = "VERB",
        description = "The shipped election code in a deterministic world of faults.",
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent simulate run --seeds 2000")
public final class Simulate {}
