package dev.incumbent.simulation;

import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;

/** The election machine of one process: the shipped one, or a canary around it. */
interface Machine {
    Step<ElectionState, Effect> step(ElectionState state, Event event, Moment now);
}
