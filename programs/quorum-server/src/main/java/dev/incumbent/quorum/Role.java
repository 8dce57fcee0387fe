package dev.incumbent.quorum;

import java.util.EnumSet;
import java.util.Set;

/** Who somebody is to a node, by the token that they show. */
public enum Role {
    /** Another node of the quorum: tells of disks, comes back with a new one, passes calls on. */
    NODE,
    /** Who runs the servers: moves their leadership, and reads. */
    OPERATOR,
    /** Who stands in elections, or changes them by the command line; reads, too. */
    CANDIDATE,
    /** Who reads, and changes nothing. */
    READER;

    Set<Right> rights() {
        return switch (this) {
            case NODE -> EnumSet.of(Right.NONE, Right.TOKEN, Right.REPLICATE);
            case OPERATOR -> EnumSet.of(Right.NONE, Right.TOKEN, Right.READ, Right.OPERATE);
            case CANDIDATE -> EnumSet.of(Right.NONE, Right.TOKEN, Right.READ, Right.STAND);
            case READER -> EnumSet.of(Right.NONE, Right.TOKEN, Right.READ);
        };
    }
}
