package dev.incumbent.cli.server;

import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.quorum.Member;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** The flag {@code --member}, once for each node of a quorum. */
final class MemberList {
    private static final int MOST_WITHOUT_WARNING = 7;

    @Option(
            names = "--member",
            paramLabel = "NAME=HOST:PORT[/RAFTPORT]",
            description = {
                "One node, once for each, the same on all; clients are told HOST:PORT.",
                "The nodes' own traffic uses RAFTPORT, the next port unless said."
            })
    private List<String> texts = new ArrayList<>();

    /** Those members, if they make a quorum. */
    List<Member> checked(Surroundings around) {
        if (texts.isEmpty()) {
            throw Refusal.usage("--member is missing: give it once for each node, as --member n1=h1:7400");
        }
        List<Member> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String text : texts) {
            try {
                all.add(Member.of(text));
            } catch (IllegalArgumentException refused) {
                throw Refusal.usage("--member: " + refused.getMessage());
            }
            if (!names.add(all.get(all.size() - 1).name())) {
                throw Refusal.usage("--member names " + all.get(all.size() - 1).name() + " twice");
            }
        }
        if (all.size() < 3 || all.size() % 2 == 0) {
            throw Refusal.usage("a quorum has three nodes or five, and --member names " + all.size());
        }
        if (all.size() > MOST_WITHOUT_WARNING) {
            around.say("a quorum of " + all.size()
                    + " nodes: each more makes every write slower; five survive the loss of two");
        }
        return all;
    }
}
