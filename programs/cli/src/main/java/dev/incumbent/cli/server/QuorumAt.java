package dev.incumbent.cli.server;

import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.wire.Redaction;
import picocli.CommandLine.Option;

/** The flag {@code --at} of verbs that speak to the quorum's nodes. */
final class QuorumAt {
    private static final String SCHEME = "quorum:";

    @Option(
            names = "--at",
            paramLabel = "URI",
            required = true,
            description =
                    "The quorum: quorum://HOST:PORT,HOST:PORT,HOST:PORT, with ?token-file=PATH and ?tls-ca=PATH as needed.")
    private String uri = "";

    /** That URI, if it is of a quorum. No method here names a class of the quorum's client: to list all verbs, as for help, its jar is not needed. */
    String checked() {
        if (!uri.startsWith(SCHEME)) {
            throw Refusal.configuration("--at " + Redaction.of(uri)
                    + " is no quorum: this verb speaks to the nodes of quorum://HOST:PORT,HOST:PORT,HOST:PORT");
        }
        return uri;
    }
}
