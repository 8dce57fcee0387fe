package dev.incumbent.lab.world;

import java.util.List;
import java.util.stream.IntStream;

/** Whom a fault strikes, chosen when it happens. */
public sealed interface FaultTarget {
    FaultTarget LEADER = new Leader();
    FaultTarget FOLLOWER = new Follower();
    FaultTarget GREATEST = new Greatest();
    FaultTarget LEADERS_MINORITY = new LeadersMinority();
    FaultTarget OTHER_MAJORITY = new OtherMajority();
    FaultTarget ALL = new All();

    /** The one that leads, or led last. */
    record Leader() implements FaultTarget {}

    /** The member after the leader. */
    record Follower() implements FaultTarget {}

    /** The member with the greatest id. */
    record Greatest() implements FaultTarget {}

    /** The leader and those after it, as many as are less than half. */
    record LeadersMinority() implements FaultTarget {}

    /** Those after the leader, as many as are more than half. */
    record OtherMajority() implements FaultTarget {}

    /** All members. */
    record All() implements FaultTarget {}

    /** One member by its place, from 0. */
    record One(int index) implements FaultTarget {}

    /** Whom it means in that world at this moment. */
    default List<LabMember> in(LabWorld world) {
        int size = world.members().size();
        int leader = world.leader().index();
        if (this instanceof Leader) {
            return following(world, leader, 1);
        } else if (this instanceof Follower) {
            return following(world, leader + 1, 1);
        } else if (this instanceof Greatest) {
            return following(world, size - 1, 1);
        } else if (this instanceof LeadersMinority) {
            return following(world, leader, (size - 1) / 2);
        } else if (this instanceof OtherMajority) {
            return following(world, leader + 1, size / 2 + 1);
        } else if (this instanceof One one) {
            return following(world, one.index(), 1);
        }
        return world.members();
    }

    private static List<LabMember> following(LabWorld world, int from, int count) {
        int size = world.members().size();
        return IntStream.range(from, from + count)
                .mapToObj(i -> world.members().get(i % size))
                .toList();
    }
}
