package dev.incumbent.lab;

import dev.incumbent.lab.world.LabFault;
import dev.incumbent.lab.world.LeaderPace;
import java.time.Duration;
import java.util.List;

/** What befalls a group: one of the lab's scenarios, or a user's own. */
public interface ScenarioPlan {
    /** Its name. */
    String label();

    /** One sentence about it. */
    String what();

    /** For how long it is measured. */
    Duration measured(Duration lease);

    /** Its faults in a group of that size. */
    List<LabFault> faults(int size, long seed);

    /** How its leaders work. */
    default LeaderPace pace() {
        return LeaderPace.USUAL;
    }
}
