package dev.incumbent.lab.world;

import java.util.List;
import java.util.stream.IntStream;

/** Whom a fault strikes, chosen when it happens. */
public sealed interface FaultTarget {
    /** Whom it means in that world at this moment. */
    List<LabMember> in(LabWorld world);

    /** One member by its place, from 0. */
    record One(int index) implements FaultTarget {
        @Override
        public List<LabMember> in(LabWorld world) {
            return following(world, index, 1);
        }
    }

    /** Those who stand in some relation to the leader, or to all. */
    enum Role implements FaultTarget {
        /** The one that leads, or led last. */
        LEADER,
        /** The member after the leader. */
        FOLLOWER,
        /** The member with the greatest id. */
        GREATEST,
        /** The leader and those after it, as many as are less than half; of two members the leader. */
        LEADERS_MINORITY,
        /** Those after the leader, as many as are more than half; of two members the other one. */
        OTHER_MAJORITY,
        /** All members. */
        ALL;

        @Override
        public List<LabMember> in(LabWorld world) {
            int size = world.members().size();
            int leader = world.leader().index();
            return switch (this) {
                case LEADER -> following(world, leader, 1);
                case FOLLOWER -> following(world, leader + 1, 1);
                case GREATEST -> following(world, size - 1, 1);
                case LEADERS_MINORITY -> following(world, leader, Math.max(1, (size - 1) / 2));
                case OTHER_MAJORITY -> following(world, leader + 1, Math.min(size - 1, size / 2 + 1));
                case ALL -> world.members();
            };
        }
    }

    private static List<LabMember> following(LabWorld world, int from, int count) {
        int size = world.members().size();
        return IntStream.range(from, from + count)
                .mapToObj(i -> world.members().get(i % size))
                .toList();
    }
}
