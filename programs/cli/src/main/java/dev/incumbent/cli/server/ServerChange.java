package dev.incumbent.cli.server;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.quorum.QuorumServers;
import dev.incumbent.coordinator.quorum.QuorumServers.Changed;
import dev.incumbent.quorum.Member;
import dev.incumbent.telling.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code server change}: other members for the quorum. */
@Command(
        name = "change",
        description = {
            "Gives the quorum that list of members in one step: it grows, shrinks, replaces a member",
            "or gives one another address. Start each new node with --join first: it waits.",
            "A member with another address is a new node, too. Fewer nodes may be new than stay.",
            "Needs an operator's token. Nodes that are left out end by themselves."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent server change --at quorum://h1:7400,h2:7400,h3:7400 \\",
            "      --member n1=h1:7400 --member n2=h2:7400 --member n3=h3:7400 \\",
            "      --member n4=h4:7400 --member n5=h5:7400"
        })
public final class ServerChange implements Verb {
    @Mixin
    private QuorumAt at = new QuorumAt();

    @Mixin
    private MemberList members = new MemberList();

    @Option(
            names = "--timeout",
            paramLabel = "DUR",
            description = "For so long it is tried; 1m unless said. New nodes catch up with the log meanwhile.")
    private Duration timeout = Duration.ofMinutes(1);

    @Override
    public int run(Surroundings around) {
        List<Member> wanted = members.checked(around);
        String list = wanted.stream().map(Member::name).collect(Collectors.joining(", "));
        QuorumServers servers = QuorumServers.of(at.checked(), around.timeline());
        around.say("asking the node that leads, for at most " + DurationText.format(timeout));
        Changed changed = servers.change(wanted.stream().map(Member::toString).toList(), timeout);
        if (changed instanceof Changed.Refused refused) {
            throw Refusal.configuration("the members did not change: " + refused.why());
        }
        around.say("the members are " + list);
        return ExitCodes.DONE;
    }
}
