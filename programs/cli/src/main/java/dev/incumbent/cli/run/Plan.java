package dev.incumbent.cli.run;

import dev.incumbent.Stonith;
import dev.incumbent.beats.netty.NettyBeats;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.MemberFlags;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a run was asked for, checked.
 *
 * @param command as text, for people alone: what is executed are the bytes this process was given
 * @param patience how long to wait until a term begins; empty for ever, zero not at all
 * @param holdAtLeast how long a term lasts at least, although its command has ended
 * @param stonith how former leaders are turned off, where that is asked
 * @param cgroup as {@link dev.incumbent.supervisor.LaunchSpec} has it
 */
record Plan(
        ElectionName election,
        List<String> command,
        At at,
        Timing timing,
        Optional<Duration> patience,
        Duration holdAtLeast,
        int conflictCode,
        List<String> sinks,
        Optional<Stonith> stonith,
        Who who,
        MemberFlags member,
        Optional<NettyBeats> beats,
        StopSignal stopSignal,
        boolean repeat,
        Hooks hooks,
        Optional<HealthPlan> health,
        String cgroup,
        boolean verbose) {

    /** Must it lead at once or not at all? */
    boolean isNonblocking() {
        return patience.filter(Duration::isZero).isPresent();
    }
}
