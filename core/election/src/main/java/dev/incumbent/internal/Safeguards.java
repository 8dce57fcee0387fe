package dev.incumbent.internal;

import dev.incumbent.Stonith;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Setup;
import dev.incumbent.protocol.StonithSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What keeps a former leader of one election from acting: the sinks that refuse it, and how it is turned off.
 *
 * @param sinks as they were given
 */
record Safeguards(List<Sink> sinks, Optional<Stonith> stonith) {
    static final Safeguards NONE = new Safeguards(List.of(), Optional.empty());

    Safeguards guarding(Sink... more) {
        List<Sink> all = new ArrayList<>(sinks);
        all.addAll(List.of(more));
        return new Safeguards(List.copyOf(all), stonith);
    }

    Safeguards with(Stonith how) {
        return new Safeguards(sinks, Optional.of(how));
    }

    /** Throws if the agent may take longer than a guard holds. */
    void checkAgainst(Timing timing) {
        setup().ifPresent(agent -> agent.checkAgainst(timing));
    }

    /** The setup of a candidacy that has these. */
    Setup in(Setup plain) {
        return setup().map(plain::withStonith).orElse(plain);
    }

    private Optional<StonithSetup> setup() {
        return stonith.map(how -> new StonithSetup(how.on(), how.bound()));
    }
}
