package dev.incumbent.quorum;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        if (own.isOut() && !own.joins()) {
            return new Refused(outOf(own.roll().members(), own));
        }
        for (Map.Entry<String, Roll> answer : answers.entrySet()) {
            String objection = objection(own, answer.getKey(), answer.getValue());
            if (!objection.isEmpty()) {
                return new Refused(objection);
            }
        }
        if (own.joins()) {
            return ofJoining(own, members, answers);
        }
        return own.roll().isFormatted() ? ofUsed(own, members, answers) : ofEmpty(own, members, answers);
    }

    private static String outOf(Members members, Marker own) {
        return members.named(own.member())
                .map(other -> "the quorum knows " + own.member() + " by the disk " + other.disk() + ", and this one is "
                        + own.disk() + ": --rejoin lets it come back as a new voter")
                .orElse("it is none of the quorum's members any more, which are " + members
                        + "; to be taken in again it needs --join and an empty folder");
    }

    private static String objection(Marker own, String who, Roll its) {
        if (!its.isFormatted()) {
            return "";
        }
        if (own.roll().isFormatted() && !own.roll().cluster().equals(its.cluster())) {
            return "this disk belongs to the quorum " + own.roll().cluster() + ", and node " + who + " to "
                    + its.cluster();
        }
        Optional<Roll.Disk> known = its.disk(own.member());
        boolean isThis = known.filter(disk -> disk.id().equals(own.disk())).isPresent();
        if (isThis) {
            return known.orElseThrow().beats() > own.own().beats() ? ofACopy(own, who, known.orElseThrow()) : "";
        }
        boolean isBehind = its.members().index() < own.roll().members().index();
        if (!own.roll().isFormatted() && !Seed.of(own.disk()).isEmpty()) {
            return "its disk was restored for a new quorum, and node " + who + " is still of the quorum "
                    + its.cluster() + ": stop that one, and restore it, too";
        }
        return own.joins() || isBehind ? "" : ofAnotherDisk(own, who, known);
    }

    private static String ofACopy(Marker own, String who, Roll.Disk known) {
        return "node " + who + " knows the disk of " + own.member() + " at beat " + known.beats() + ", and it is at "
                + own.own().beats()
                + ": it was put back from a copy; --rejoin lets it come back as a new voter";
    }

    private static String ofAnotherDisk(Marker own, String who, Optional<Roll.Disk> known) {
        return known.map(disk -> "node " + who + " knows " + own.member() + " by the disk " + disk.id()
                        + ", and this one is " + own.disk()
                        + (own.roll().isFormatted() ? ", an older one" : ", an empty one")
                        + ": it was wiped or replaced; --rejoin lets it come back as a new voter")
                .orElse("node " + who + " knows of no member " + own.member()
                        + "; --join lets it wait until it is made one");
    }

    private static Admission ofUsed(Marker own, List<Member> members, Map<String, Roll> answers) {
        long heard = 1 + heard(members, answers);
        return heard > members.size() / 2
                ? new Admitted(own.roll())
                : new Wait("a majority of " + members.size() + " nodes; " + heard + " have answered");
    }

    private static long heard(List<Member> members, Map<String, Roll> answers) {
        return members.stream()
                .filter(member -> answers.containsKey(member.name()))
                .count();
    }

    /** It is told of no roll, so nobody is told of it. One whose start was cut off may have been taken in meanwhile, as a majority knows. */
    private static Admission ofJoining(Marker own, List<Member> members, Map<String, Roll> answers) {
        if (own.roll().isFormatted()) {
            return heard(members, answers) > members.size() / 2
                    ? new Admitted(own.roll())
                    : new Wait("a majority of " + members.size() + " members");
        }
        return answers.values().stream()
                .filter(Roll::isFormatted)
                .findFirst()
                .<Admission>map(its -> new Admitted(its))
                .orElse(new Wait("a member of the quorum"));
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
        Roll begun = all.inCluster(clusterOf(all));
        return Seed.objection(own, all.disks()).<Admission>map(Refused::new).orElse(new Admitted(begun));
    }
}
