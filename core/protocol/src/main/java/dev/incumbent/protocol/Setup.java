package dev.incumbent.protocol;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Feature;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Sorted;
import dev.incumbent.model.Timing;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What one process brings to one election, constant while it takes part.
 *
 * @param sinks the sinks it guards, with labels without credentials; none means unfenced
 * @param succession how candidates follow each other
 * @param features what its version knows, and what it has the record require
 * @param stonith how it turns off whoever may still act; empty where it does not
 */
public record Setup(
        ElectionName election,
        Candidate candidate,
        Timing timing,
        Map<SinkId, String> sinks,
        Succession succession,
        Features features,
        Optional<StonithSetup> stonith) {
    public static final Duration STAGGER = Duration.ofMillis(100);
    private static final Duration LONGEST_GRACE = Duration.ofSeconds(2);

    public Setup {
        sinks = Sorted.copyOf(sinks);
        stonith.ifPresent(agent -> agent.checkAgainst(timing));
    }

    /** With the stagger and the transfer grace to start with. */
    public static Setup of(ElectionName election, Candidate candidate, Timing timing, Map<SinkId, String> sinks) {
        Duration third = timing.lease().dividedBy(3);
        return new Setup(
                election,
                candidate,
                timing,
                sinks,
                new Succession(STAGGER, third.compareTo(LONGEST_GRACE) <= 0 ? third : LONGEST_GRACE, Optional.empty()),
                Features.OF_THIS_VERSION,
                Optional.empty());
    }

    /** The same for a process of other features. */
    public Setup with(Features others) {
        return new Setup(election, candidate, timing, sinks, succession, others, stonith);
    }

    /** The same for a process that hands over to a better rank after so long, or never. */
    public Setup movingAfter(Optional<Duration> tenure) {
        Succession next = new Succession(succession.stagger(), succession.transferGrace(), tenure);
        return new Setup(election, candidate, timing, sinks, next, features, stonith);
    }

    /** The same for a process that turns off whoever may still act before it begins: from its first claim on, the record requires that of everybody. */
    public Setup withStonith(StonithSetup agent) {
        Features others = features.supporting(Feature.STONITH);
        return new Setup(election, candidate, timing, sinks, succession, others, Optional.of(agent));
    }

    public Duration stagger() {
        return succession.stagger();
    }

    public Duration transferGrace() {
        return succession.transferGrace();
    }

    /** Is there a sink, and is every sink fenced? An election without any sink never counts as fenced. */
    public boolean isFenced() {
        return !sinks.isEmpty();
    }
}
