package dev.incumbent.cli.server;

import picocli.CommandLine.Command;

/** The head of the group {@code server snapshot}. */
@Command(
        name = "snapshot",
        synopsisSubcommandLabel = "VERB",
        description = "Backups of a quorum: saves one while the nodes run, and checks one.",
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent server snapshot save monday.snapshot --at quorum://h1:7400,h2:7400,h3:7400")
public final class Snapshots {}
