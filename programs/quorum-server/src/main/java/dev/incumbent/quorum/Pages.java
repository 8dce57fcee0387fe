package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Asked;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** What people read with a browser or curl. */
final class Pages {
    private final NodeSettings settings;
    private final Replica replica;
    private final SharedTable table;

    Pages(NodeSettings settings, Replica replica, SharedTable table) {
        this.settings = settings;
        this.replica = replica;
        this.table = table;
    }

    /** This node as it sees itself. */
    String status(Marker marker, List<Member> known) {
        String members =
                known.stream().map(member -> "{" + addresses(member) + "}").collect(Collectors.joining(","));
        return replica.division()
                        .map(info -> "{\"node\":\"" + settings.name() + "\",\"leads\":" + replica.isLeading()
                                + ",\"leader\":\"" + replica.leader().orElse("") + "\",\"term\":"
                                + info.getCurrentTerm() + ",\"applied\":" + info.getLastAppliedIndex())
                        .orElse("{\"node\":\"" + settings.name() + "\",\"leads\":false")
                + ",\"cluster\":\"" + marker.roll().cluster() + "\",\"disk\":\"" + marker.disk() + "\",\"beats\":"
                + marker.own().beats() + ",\"level\":" + table.level() + ",\"supports\":" + Entry.SUPPORTED
                + replica.halt().map(why -> ",\"halted\":\"" + why + "\"").orElse("") + ",\"members\":[" + members
                + "]}\n";
    }

    private static String addresses(Member member) {
        return "\"name\":\"" + member.name() + "\",\"host\":\"" + member.host() + "\",\"port\":" + member.port();
    }

    /** The members as this node knows them; how long each has been silent is known to the one that leads. */
    String members(Peers peers) {
        Roll roll = peers.marker().roll();
        Optional<String> leader = replica.leader();
        Map<String, Long> silences = replica.voters().silences();
        Set<String> silent = replica.voters().silent();
        String members = peers.members().stream()
                .map(member -> "{" + addresses(member) + ",\"raftPort\":" + member.raftPort()
                        + roll.disk(member.name())
                                .map(disk -> ",\"disk\":\"" + disk.id() + "\"")
                                .orElse("")
                        + ",\"leads\":" + leader.filter(member.name()::equals).isPresent()
                        + Optional.ofNullable(silences.get(member.name()))
                                .map(millis -> ",\"answers\":" + !silent.contains(member.name()) + ",\"silentMillis\":"
                                        + millis)
                                .orElse("")
                        + "}")
                .collect(Collectors.joining(","));
        return "{\"node\":\"" + settings.name() + "\",\"quorum\":\"" + roll.cluster() + "\",\"leads\":"
                + replica.isLeading() + ",\"changing\":" + replica.voters().areChanging() + ",\"members\":[" + members
                + "]}\n";
    }

    /** {@code GET /v1/elections} lists names; {@code GET /v1/elections/NAME} tells a record as it is stored, one JSON document. */
    CompletableFuture<Answer> elections(Asked asked) {
        String name = asked.rest().startsWith("/") ? asked.rest().substring(1) : asked.rest();
        if (name.isEmpty()) {
            return replica.read(Line.of(Words.ELECTIONS, "")).thenApply(text -> page(Words.ELECTIONS, text));
        }
        return replica.read(Line.of(Words.READ, name)).thenApply(text -> {
            List<String> fields = Line.fields(text);
            boolean isRecord = fields.get(0).equals(Words.READ) && fields.size() > 5;
            return isRecord ? new Answer(200, fields.get(5) + "\n") : page("", text);
        });
    }

    private static Answer page(String wanted, String text) {
        List<String> fields = Line.fields(text);
        if (fields.get(0).equals(wanted)) {
            return new Answer(200, Line.body(fields.subList(1, fields.size())));
        }
        return fields.get(0).equals(Words.READ)
                ? new Answer(404, "no such election\n")
                : new Answer(503, String.join(" ", fields) + "\n");
    }
}
