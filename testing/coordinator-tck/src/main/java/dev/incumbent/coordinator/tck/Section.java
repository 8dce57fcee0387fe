package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** A part of the contract: each of its tests has a rig of its own, with two clients. */
abstract class Section {
    CoordinatorRig rig;
    Scene scene;
    Coordinator one;
    Coordinator other;
    ElectionName election;

    abstract CoordinatorRig openRig(Pace pace) throws Exception;

    @BeforeEach
    final void open(TestInfo test) throws Exception {
        rig = openRig(Pace.of(test));
        scene = new Scene(rig);
        one = rig.connect();
        other = rig.connect();
        election = scene.election("closer");
    }

    /** A rig that could not be opened has told why. */
    @AfterEach
    final void close() {
        Optional.ofNullable(rig).ifPresent(CoordinatorRig::close);
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
