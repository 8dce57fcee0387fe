package dev.incumbent.cli.peers;

import picocli.CommandLine.Command;

/** The head of the group {@code peers}. */
@Command(
        name = "peers",
        synopsisSubcommandLabel = "VERB",
        description = "Groups of peers, which elect a leader among themselves.",
        footerHeading = "%nExample:%n",
        footer =
                "  $ incumbent peers found billing/closer --at peers+raft://a:7501,b:7501,c:7501 --me a --data /var/lib/closer")
public final class Peers {}
