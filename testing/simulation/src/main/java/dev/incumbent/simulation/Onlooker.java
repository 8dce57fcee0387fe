package dev.incumbent.simulation;

import java.util.List;

/** An invariant that looks after every event, since what it forbids may come about by time alone or by any change of a state. */
interface Onlooker {
    /**
     * Called after each event, at its time.
     *
     * @param beliefs whose guards hold now; valid for this call
     */
    void afterEvent(List<Belief> beliefs);
}
