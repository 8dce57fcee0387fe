package dev.incumbent.simulation;

import java.util.List;

/** An invariant of whoever believes to lead, since what it forbids may come about by time alone or by any change of a state. */
interface Onlooker {
    /**
     * Called after each event by which any belief, how long it lasts, or what the store says of it may have changed, at its time; what is told holds after each event
     * until the next call.
     *
     * @param beliefs whose guards hold now; valid for this call
     */
    void believed(List<Belief> beliefs);
}
