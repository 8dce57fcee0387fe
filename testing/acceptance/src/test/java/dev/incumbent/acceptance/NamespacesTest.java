package dev.incumbent.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.Command;
import dev.incumbent.servers.Namespaces;
import dev.incumbent.servers.Place;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Networks as a trial needs them: cut in one direction, and leaving nothing behind. */
class NamespacesTest {
    private static final String LEFT_BEHIND = "icn255-hub";
    private static final int LOOKS = 10;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    @Test
    void whatIsCutIsLostInThatDirectionAloneUntilItIsHealed() throws InterruptedException {
        try (Namespaces network = Namespaces.open(3)) {
            assertThat(hears(network, 0, 1)).isTrue();

            network.cut(0, 1);
            assertThat(hears(network, 0, 1)).as("m1 is heard by m2").isFalse();
            assertThat(hears(network, 1, 0)).as("m2 is heard by m1").isTrue();
            assertThat(hears(network, 0, 2)).as("m1 is heard by m3").isTrue();

            network.heal();
            assertThat(hears(network, 0, 1)).isTrue();
        }
    }

    @Test
    void twoNetworksKnowNothingOfOneAnother() {
        try (Namespaces one = Namespaces.open(2);
                Namespaces other = Namespaces.open(2)) {
            assertThat(one.member(0).address()).isNotEqualTo(other.member(0).address());
        }
    }

    @Test
    void aNetworkLeavesNothingBehindNorDoesOneThatWasKilled() {
        Command.run(List.of("ip", "netns", "add", LEFT_BEHIND), Map.of());
        String hub;
        try (Namespaces network = Namespaces.open(2)) {
            assertThat(namespaces()).doesNotContain(LEFT_BEHIND);
            hub = network.member(0).launcher().get(3).replace("-m1", "-");
            assertThat(namespaces()).contains(hub);
        }

        assertThat(namespaces()).doesNotContain(hub);
    }

    private static String namespaces() {
        return Command.run(List.of("ip", "netns", "list"), Map.of());
    }

    /** Who is asked for its hardware address learns the asker's, whether or not its answer arrives. */
    private static boolean hears(Namespaces network, int speaker, int listener) throws InterruptedException {
        Place from = network.member(speaker);
        Place to = network.member(listener);
        in(from, "ip", "neigh", "flush", "all");
        in(to, "ip", "neigh", "flush", "all");
        in(from, "bash", "-c", "echo > /dev/udp/" + to.address() + "/9");
        for (int i = 0; i < LOOKS; i++) {
            if (in(to, "ip", "neigh", "show").contains(from.address() + " dev eth0 lladdr")) {
                return true;
            }
            SystemTimeline.sleep(BETWEEN_LOOKS);
        }
        return false;
    }

    private static String in(Place place, String... line) {
        List<String> all = new ArrayList<>(place.launcher());
        all.addAll(List.of(line));
        return Command.run(all, Map.of());
    }
}
