package dev.incumbent.cli.operator;

import picocli.CommandLine.Command;

/** The head of the group {@code stonith}. */
@Command(
        name = "stonith",
        synopsisSubcommandLabel = "VERB",
        description = "Former leaders that may still act, where an election asks that they are turned off.",
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent stonith list billing/closer")
public final class StonithGroup {}
