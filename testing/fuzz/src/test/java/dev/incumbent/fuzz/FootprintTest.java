package dev.incumbent.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What grows is told. */
final class FootprintTest {
    private static final Footprint BEFORE = new Footprint(Map.of("main", 1, "http-N", 4), 20, 1_000, 5_000);

    @Test
    void whatIsAsItWasHasNotGrown() {
        assertThat(BEFORE.growthSince(BEFORE, 0, 0)).isEmpty();
        assertThat(new Footprint(Map.of("main", 1, "http-N", 5), 21, 1_010, 9_000).growthSince(BEFORE, 1, 10))
                .isEmpty();
    }

    @Test
    void whatIsMoreThanAllowedIsTold() {
        Footprint after = new Footprint(Map.of("main", 1, "http-N", 6, "leak", 1), 22, 1_011, 5_000);

        assertThat(after.growthSince(BEFORE, 1, 10))
                .containsExactly(
                        "threads: 5 before, 8 after: {http-N=2, leak=1}",
                        "file descriptors: 20 before, 22 after",
                        "heap: 1000 bytes before, 1011 after");
    }

    @Test
    void threadsFilesAndTheHeapOfAProcessAreSeen() throws Exception {
        Footprint before = ofThisProcess();
        CountDownLatch over = new CountDownLatch(1);
        Thread more = new Thread(() -> await(over), "one-more");
        more.start();

        // Of all more than other tests leave behind, or let go, meanwhile.
        List<InputStream> opened = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                opened.add(Files.newInputStream(Path.of("/dev/null")));
            }
            byte[] kept = new byte[100 << 20];
            Footprint after = ofThisProcess();

            assertThat(after.threads()).containsEntry("one-more", 1);
            assertThat(after.files() - before.files()).isBetween(100, 300);
            assertThat(after.heapBytes() - before.heapBytes())
                    .isBetween(kept.length - (40L << 20), kept.length + (40L << 20));
            assertThat(List.of(after.residentBytes())).allMatch(bytes -> bytes > 100 << 20);
        } finally {
            for (InputStream one : opened) {
                one.close();
            }
            over.countDown();
            more.join();
        }
    }

    private static Footprint ofThisProcess() {
        return Footprint.of(ProcessHandle.current().pid());
    }

    private static void await(CountDownLatch over) {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
