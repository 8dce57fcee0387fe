package dev.incumbent.cli.sinks;

import picocli.CommandLine.Command;

/** The head of the group {@code fence}. */
@Command(
        name = "fence",
        synopsisSubcommandLabel = "VERB",
        description = "The sink's side: what refuses everyone but the leader.",
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent fence install --sink jdbc:sqlite:ledger.db --table ledger --election billing/closer")
public final class Fence {}
