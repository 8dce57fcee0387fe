package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.ElectionName;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A part of the contract: each of its tests has a rig of its own, with two clients. */
abstract class Section {
    CoordinatorRig rig;
    Scene scene;
    Coordinator one;
    Coordinator other;
    ElectionName election;

    abstract CoordinatorRig openRig() throws Exception;

    @BeforeEach
    final void open() throws Exception {
        rig = openRig();
        scene = new Scene(rig);
        one = rig.connect();
        other = rig.connect();
        election = scene.election("closer");
    }

    @AfterEach
    final void close() {
        rig.close();
    }

    final void needs(Ability ability) {
        assumeTrue(rig.abilities().contains(ability), () -> "this rig cannot " + ability);
    }

    final void needs(Cut cut) {
        assumeTrue(rig.cuts().contains(cut), () -> "this rig cannot cut a client off so that it is " + cut);
    }

    final void needsWires() {
        assumeTrue(rig.isWired(), "this rig has no wires");
    }

    static Duration part(Duration whole, double share) {
        assertThat(share).isPositive();
        return Duration.ofNanos((long) (whole.toNanos() * share));
    }
}
