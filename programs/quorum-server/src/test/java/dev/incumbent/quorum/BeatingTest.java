package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.incumbent.servers.SmallDisk;
import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a node says while its marker cannot be written. */
final class BeatingTest {
    @Test
    void aCloseThatCutsABeatIsNoHindrance() throws IOException {
        List<String> said = new ArrayList<>();
        try (TemporaryFolder folder = TemporaryFolder.create("marker")) {
            Member self = Member.of("n1=127.0.0.1:7400");
            Peers peers = new Peers(
                    folder.path(), Marker.fresh("n1"), List.of(self), new Peering(Tokens.none(), Optional.empty()));
            Thread.currentThread().interrupt();
            new Beating("n1", peers, said::add, () -> {}).beat();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(said).isEmpty();
        }
    }

    @Test
    void aFullDiskIsSaidOnceAndOnceMoreWhenThereIsRoom() throws IOException {
        assumeThat(SmallDisk.isPossible()).isTrue();
        List<String> said = new ArrayList<>();
        try (SmallDisk disk = SmallDisk.ofMegabytes(1)) {
            Path folder = disk.folder("n1").path();
            Member self = Member.of("n1=127.0.0.1:7400");
            Marker marker = Marker.read(folder, "n1");
            Peers peers = new Peers(folder, marker, List.of(self), new Peering(Tokens.none(), Optional.empty()));
            Beating beating = new Beating("n1", peers, said::add, () -> {});
            beating.beat();
            assertThat(said).isEmpty();

            disk.fill();
            beating.beat();
            beating.beat();
            assertThat(said)
                    .singleElement()
                    .asString()
                    .startsWith("the marker of node n1 cannot be written")
                    .contains("No space left on device");

            disk.makeRoom();
            beating.beat();
            beating.beat();
            assertThat(said).hasSize(2).endsWith("the marker of node n1 is written again");

            disk.fill();
            beating.beat();
            assertThat(said).hasSize(3);
            assertThat(Marker.read(folder, "n1").own().beats()).isEqualTo(3);
        }
    }
}
