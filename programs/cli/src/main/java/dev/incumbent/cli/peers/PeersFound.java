package dev.incumbent.cli.peers;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.MemberFlags;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.peers.PeerElections;
import dev.incumbent.model.ElectionName;
import dev.incumbent.telling.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code peers found ELECTION}: a group begins, on one of its members. */
@Command(
        name = "found",
        description = {
            "Founds a group, once on each of its members: writes to this member's empty folder that nobody has ever voted.",
            "Never on one member alone: one whose folder was lost starts with an empty one, and asks the others."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent peers found billing/closer --at peers+raft://a:7501,b:7501,c:7501 --me a --data /var/lib/closer"
        })
public final class PeersFound implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election of the group, after which it is named.")
    private ElectionName election = new ElectionName("unset");

    @Mixin
    private At at = new At();

    @Mixin
    private MemberFlags member = new MemberFlags();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        if (!at.isPeers(around)) {
            throw Refusal.usage(
                    "a group is founded --at peers+raft://HOST:PORT,HOST:PORT,HOST:PORT, not at " + at.label(around));
        }
        PeerElections.found(member.in(at.uri(around)), election.value());
        around.out()
                .println(
                        output.isJson()
                                ? new JsonObject()
                                        .put("election", election.value())
                                        .put("founded", true)
                                : "this member of " + election
                                        + " is founded; it votes once it runs, as do the others that were founded");
        return ExitCodes.DONE;
    }
}
