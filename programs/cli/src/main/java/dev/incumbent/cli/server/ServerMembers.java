package dev.incumbent.cli.server;

import dev.incumbent.cli.frame.Ages;
import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.Columns;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.quorum.QuorumServers;
import dev.incumbent.wire.Json;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code server members}: who the quorum's members are. */
@Command(
        name = "members",
        description = {
            "Prints the members of the quorum, as the node that leads knows them,",
            "and for how long each has not answered it. Needs a reader's token."
        },
        footerHeading = "%nExample:%n",
        footer = {"  $ incumbent server members --at quorum://h1:7400,h2:7400,h3:7400"})
public final class ServerMembers implements Verb {
    @Mixin
    private QuorumAt at = new QuorumAt();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        Json told = QuorumServers.of(at.checked(), around.timeline()).members(Answers.CALL_BOUND);
        if (output.isJson()) {
            around.out().println(told.source());
        } else {
            print(around, told);
        }
        return told.at("leads").flag() ? ExitCodes.DONE : ExitCodes.UNREACHABLE;
    }

    private static void print(Surroundings around, Json told) {
        if (!told.at("leads").flag()) {
            around.say("no node leads; node " + told.at("node").text() + " knows these members");
        }
        if (told.at("changing").flag()) {
            around.say("the membership is changing");
        }
        Columns columns = new Columns("MEMBER", "ADDRESS", "RAFT PORT", "DISK", "STATE");
        for (Json member : told.at("members").items()) {
            columns.add(
                    member.at("name").text(),
                    member.at("host").text() + ":" + member.at("port").number(),
                    Long.toString(member.at("raftPort").number()),
                    member.at("disk").text(),
                    state(told, member));
        }
        columns.print(around);
    }

    private static String state(Json told, Json member) {
        if (member.at("leads").flag()) {
            return "leads";
        }
        if (!member.has("silentMillis")) {
            return told.at("leads").flag() ? "unknown" : "";
        }
        return member.at("answers").flag()
                ? "follows"
                : "silent for "
                        + Ages.length(
                                Duration.ofMillis(member.at("silentMillis").number()));
    }
}
