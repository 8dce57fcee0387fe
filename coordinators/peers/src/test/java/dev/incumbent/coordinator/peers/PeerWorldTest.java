package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.peers.MemberId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Groups of the shipped driver in seeded worlds: members are killed and started again, stand still, are cut off, and messages are lost, for 40 seconds; then nothing goes wrong any more.
 * Two guards never say yes at once, a term begins at one member, and somebody leads soon after the faults have ceased.
 */
class PeerWorldTest {
    private static final int WORLDS = 12;
    private static final int WORLDS_OF_A_TRIAL = 1_000;

    /** A longest lease without votes after a start, then an election of at most 5 s, and a second one where the votes were split. */
    private static final Duration SOON = Duration.ofSeconds(12);

    @TempDir
    Path folder;

    @Test
    void oneLeadsAtATimeAndSomebodyOnceFaultsHaveCeased() throws IOException {
        assertThat(brokenIn(WORLDS)).isEmpty();
    }

    @Test
    @Tag("trial")
    void oneLeadsAtATimeInAThousandWorlds() throws IOException {
        assertThat(brokenIn(WORLDS_OF_A_TRIAL)).isEmpty();
    }

    private List<String> brokenIn(int worlds) throws IOException {
        List<String> broken = new ArrayList<>();
        for (int seed = 0; seed < worlds; seed++) {
            Path world = Files.createDirectory(folder.resolve("world-" + seed));
            try (VirtualGroup group = new VirtualGroup(PeerKind.RAFT, seed % 2 == 0 ? 3 : 5, seed, world).found()) {
                new World(group, seed, broken).run();
            }
        }
        return broken;
    }

    /** One world. */
    private static final class World {
        private static final int STEPS = 800;

        private final VirtualGroup group;
        private final long seed;
        private final List<String> broken;
        private final SplittableRandom draws;
        private final Map<Long, MemberId> terms = new LinkedHashMap<>();

        World(VirtualGroup group, long seed, List<String> broken) {
            this.group = group;
            this.seed = seed;
            this.broken = broken;
            this.draws = new SplittableRandom(~seed);
        }

        void run() {
            group.startAll();
            group.losing(draws.nextInt(2) * 0.1);
            for (int step = 0; step < STEPS; step++) {
                if (draws.nextInt(20) == 0) {
                    fault();
                }
                group.advance(Duration.ofMillis(50));
                check();
            }
            group.losing(0);
            group.heal();
            group.ring().forEach(group::start);
            group.advance(Duration.ofSeconds(5)); // whoever stands still goes on
            long until = group.time.nanos() + SOON.toNanos();
            while (group.leaders().isEmpty() && group.time.nanos() < until) {
                group.advance(Duration.ofMillis(50));
                check();
            }
            if (group.leaders().isEmpty()) {
                broken.add("world " + seed + ": nobody leads " + SOON + " after the faults have ceased");
            }
        }

        private void fault() {
            MemberId one = group.ring().get(draws.nextInt(group.ring().size()));
            switch (draws.nextInt(5)) {
                case 0 -> {
                    if (group.isUp(one)) {
                        group.kill(one);
                    }
                }
                case 1 -> group.ring().forEach(group::start);
                case 2 -> {
                    if (group.isUp(one)) {
                        group.pause(one, Duration.ofMillis(draws.nextLong(5_000)));
                    }
                }
                case 3 -> group.cutOff(Set.of(one));
                default -> group.heal();
            }
        }

        private void check() {
            var leaders = group.leaders();
            if (leaders.size() > 1) {
                broken.add("world " + seed + ": " + leaders.keySet() + " lead at once");
            }
            leaders.forEach((member, led) -> {
                MemberId before = terms.putIfAbsent(led.term().number(), member);
                if (before != null && !before.equals(member)) {
                    broken.add("world " + seed + ": " + led.term() + " was led by " + before + " and " + member);
                }
            });
        }
    }
}
