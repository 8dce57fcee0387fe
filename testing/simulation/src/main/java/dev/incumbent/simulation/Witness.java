package dev.incumbent.simulation;

import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Step;

/** An inspector that is told every step of every election's machine. */
interface Witness {
    void stepped(Player player, ElectionState before, Event event, Step<ElectionState, Effect> step);
}
