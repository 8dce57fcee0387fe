package dev.incumbent.quorum;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * May a node take part with the disk it has? Decided from its own marker and from what the others answered, by nothing else.
 *
 * <p>A voter that forgot what it acknowledged may undo it. So an empty disk takes part only where all are empty and so all begin, or where the
 * others know this very disk; and a used one only where a majority, itself included, knows it no later than it is.
 */
sealed interface Admission {
    /** Not enough have answered yet. */
    record Wait(String forWhom) implements Admission {}

    /** It takes part. */
    record Admitted(Roll roll) implements Admission {}

    /** It must not; {@code why} is one sentence. */
    record Refused(String why) implements Admission {}

    /** The members' first format: named after all their disks, so that each comes to the same name by itself. */
    static String clusterOf(Roll roll) {
        StringBuilder all = new StringBuilder();
        new TreeMap<>(roll.disks())
                .forEach((name, disk) ->
                        all.append(name).append('=').append(disk.id()).append('\n'));
        return UUID.nameUUIDFromBytes(all.toString().getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /**
     * Decides.
     *
     * @param own the marker as it was found
     * @param answers the rolls of those others that answered
     */
    static Admission of(Marker own, List<Member> members, Map<String, Roll> answers) {
        for (Map.Entry<String, Roll> answer : answers.entrySet()) {
            String objection = objection(own, answer.getKey(), answer.getValue());
            if (!objection.isEmpty()) {
                return new Refused(objection);
            }
        }
        return own.roll().isFormatted() ? ofUsed(own, members, answers) : ofEmpty(own, members, answers);
    }

    private static String objection(Marker own, String who, Roll its) {
        if (!its.isFormatted()) {
            return "";
        }
        if (own.roll().isFormatted() && !own.roll().cluster().equals(its.cluster())) {
            return "this disk belongs to the quorum " + own.roll().cluster() + ", and node " + who + " to "
                    + its.cluster();
        }
        if (its.disk(own.member()).isEmpty()) {
            return "node " + who + " knows of no member " + own.member();
        }
        Roll.Disk known = its.disk(own.member()).orElse(own.own());
        if (!known.id().equals(own.disk())) {
            return "node " + who + " knows " + own.member() + " by the disk " + known.id() + ", and this one is "
                    + own.disk() + (own.roll().isFormatted() ? ", an older one" : ", an empty one")
                    + ": it was wiped or replaced; --rejoin lets it come back as a new voter";
        }
        if (known.beats() > own.own().beats()) {
            return "node " + who + " knows the disk of " + own.member() + " at beat " + known.beats()
                    + ", and it is at " + own.own().beats()
                    + ": it was put back from a copy; --rejoin lets it come back as a new voter";
        }
        return "";
    }

    private static Admission ofUsed(Marker own, List<Member> members, Map<String, Roll> answers) {
        return answers.size() + 1 > members.size() / 2
                ? new Admitted(own.roll())
                : new Wait("a majority of " + members.size() + " nodes; " + (answers.size() + 1) + " have answered");
    }

    private static Admission ofEmpty(Marker own, List<Member> members, Map<String, Roll> answers) {
        for (Roll its : answers.values()) {
            if (its.isFormatted()) {
                return new Admitted(its.merged(own.roll().inCluster(its.cluster())));
            }
        }
        if (answers.size() + 1 < members.size()) {
            List<String> missing = members.stream()
                    .map(Member::name)
                    .filter(name -> !name.equals(own.member()) && !answers.containsKey(name))
                    .toList();
            return new Wait("nodes " + missing + ", since all must be there at the first start");
        }
        Roll all = own.roll();
        for (Map.Entry<String, Roll> answer : answers.entrySet()) {
            all = all.with(
                    answer.getKey(), answer.getValue().disk(answer.getKey()).orElseThrow());
        }
        return new Admitted(all.inCluster(clusterOf(all)));
    }
}
