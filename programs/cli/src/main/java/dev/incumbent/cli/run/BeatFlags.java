package dev.incumbent.cli.run;

import dev.incumbent.ElectionListener;
import dev.incumbent.Elections;
import dev.incumbent.beats.netty.NettyBeats;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.model.CandidateId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags by which a run is heard by the other ones, so that a leader that is gone is followed before its lease ends. */
final class BeatFlags {
    @Option(
            names = "--beats",
            paramLabel = "HOST:PORT",
            description =
                    "Listens there, so that where sinks fence it a leader that is gone is followed at once, and not at the end of its lease.")
    private @Nullable String listen;

    @Option(
            names = "--beats-advertise",
            paramLabel = "HOST:PORT",
            description = "Where the other runs reach it, if not where it listens.")
    private @Nullable String advertise;

    @Option(
            names = "--beats-keys",
            paramLabel = "FILE",
            description = "The keys that all runs share, one or two, a line each; needed beyond this machine.")
    private @Nullable Path keys;

    /** What was asked for, checked; empty where this run is not heard. */
    Optional<NettyBeats> beats() {
        if (listen == null) {
            refuseWithout("--beats-advertise", advertise);
            refuseWithout("--beats-keys", keys);
            return Optional.empty();
        }
        try {
            NettyBeats.Builder builder = NettyBeats.listen(listen);
            if (advertise != null) {
                builder.advertise(advertise);
            }
            if (keys != null) {
                builder.keys(keys);
            }
            return Optional.of(builder.build());
        } catch (IllegalArgumentException | IllegalStateException refused) {
            throw Refusal.usage("--beats: " + refused.getMessage());
        } catch (IOException unreadable) {
            throw Refusal.configuration("--beats-keys: " + unreadable.getMessage());
        }
    }

    private static void refuseWithout(String flag, @Nullable Object value) {
        if (value != null) {
            throw Refusal.usage(flag + " " + value + " has no effect without --beats HOST:PORT");
        }
    }

    /** Tells what a run hears of others. */
    record Misses(Bulletin bulletin) implements ElectionListener {
        @Override
        public void onHeard(CandidateId leader) {
            bulletin.news("the leader " + leader + " is heard");
        }

        @Override
        public void onSuspected(CandidateId leader, String why) {
            bulletin.news("the leader " + leader + " is not heard any more: " + why);
        }

        @Override
        public void onMistaken(CandidateId leader, int patience) {
            bulletin.failure("the leader " + leader + " was suspected by mistake; a silence must last " + patience
                    + " times as long now until it counts");
        }
    }

    static void tell(Optional<NettyBeats> beats, Bulletin bulletin, Elections.Builder builder) {
        beats.ifPresent(them -> builder.beats(them).listener(new Misses(bulletin)));
    }
}
