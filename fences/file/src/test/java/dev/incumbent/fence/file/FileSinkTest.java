package dev.incumbent.fence.file;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.SystemTimeline;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What several processes, the disk and people do to a fenced file. */
final class FileSinkTest {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final ElectionName BILLING = new ElectionName("billing");

    private final TemporaryFolder folder = TemporaryFolder.create("filefence");
    private final Path ledger = folder.resolve("ledger.txt");

    @AfterEach
    void close() {
        folder.close();
    }

    @Test
    void aRaiseGetsThroughBesideWritingProcessesAndNothingOlderLandsAfterIt() throws Exception {
        try (Sink sink = installed(ledger)) {
            answer(sink.raise(BILLING, mark(7)));
            List<Process> writers = new ArrayList<>();
            for (String name : List.of("one", "two", "three")) {
                writers.add(WritingProcess.start(ledger, name));
            }
            awaitLinesOf(List.of("one", "two", "three"));

            Raise raise = answer(sink.raise(BILLING, mark(8)));
            List<String> whenRaised = Files.readAllLines(ledger);

            assertThat(raise).isEqualTo(new Raise.Raised(mark(8)));
            int told = 0;
            for (Process writer : writers) {
                told += Integer.parseInt(
                        new String(writer.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
                assertThat(writer.waitFor(10, SECONDS)).isTrue();
            }
            assertThat(Files.readAllLines(ledger)).isEqualTo(whenRaised).hasSize(told);
        }
    }

    @Test
    void aProcessThatIsKilledHoldsNobodyUp() throws Exception {
        try (Sink sink = installed(ledger)) {
            answer(sink.raise(BILLING, mark(7)));
            Process writer = WritingProcess.start(ledger, "one");
            awaitLinesOf(List.of("one"));

            writer.destroyForcibly().waitFor();

            assertThat(answer(sink.raise(BILLING, mark(8)))).isEqualTo(new Raise.Raised(mark(8)));
        }
    }

    /** Nobody can take its lock from it. Once that is free, the raise that gave up may be made yet: it is uncertain. */
    @Test
    void aRaiseFailsAtItsBoundWhileAnotherProcessIsStoppedInItsTurn() throws Exception {
        Duration bound = Duration.ofMillis(500);
        try (Sink sink = installed(ledger);
                Sink hasty = new FileSinkProvider().open("filefence:" + ledger, bound);
                SystemTimeline time = new SystemTimeline()) {
            answer(sink.raise(BILLING, mark(7)));
            byte[] raisedTo7 = Files.readAllBytes(folder.resolve("ledger.txt.fence"));
            try (LockHolder stopped = LockHolder.of(folder.resolve("ledger.txt.fence-lock"), 0)) {
                long before = time.nanos();

                assertThatThrownBy(() -> answer(hasty.raise(BILLING, mark(8))))
                        .isInstanceOf(SinkException.class)
                        .hasMessageContaining("gave up after 500 ms");

                assertThat(Duration.ofNanos(time.nanos() - before)).isBetween(bound, BOUND.dividedBy(2));
                assertThat(stopped).isNotNull();
                assertThat(folder.resolve("ledger.txt.fence")).hasBinaryContent(raisedTo7);
            }
            assertThat(answer(sink.marks()).marks().get(BILLING)).isIn(mark(7), mark(8));
            assertThat(answer(hasty.raise(BILLING, mark(8)))).isEqualTo(new Raise.Raised(mark(8)));
        }
    }

    @Test
    void aFileIsReplacedAsAWholeAndOnlyByWhoIsInForce() throws Exception {
        try (Sink sink = installed(ledger)) {
            answer(sink.raise(BILLING, mark(7)));
            write(7, "first", true);
            answer(sink.raise(BILLING, mark(8)));

            assertThatThrownBy(() -> write(7, "late", true)).isInstanceOf(StaleTokenException.class);
            assertThat(ledger).hasContent("first");
            write(8, "second", true);
            assertThat(ledger).hasContent("second");
        }
    }

    @Test
    void aFileKnownByTwoNamesHasOneFence() throws Exception {
        Files.writeString(ledger, "");
        Path link = Files.createSymbolicLink(folder.resolve("link"), ledger);
        try (Sink sink = installed(ledger);
                Sink byLink = new FileSinkProvider().open("filefence:" + link, BOUND)) {
            answer(sink.raise(BILLING, mark(7)));

            assertThat(answer(byLink.marks()).marks()).containsEntry(BILLING, mark(7));
            assertThat(answer(byLink.id())).isEqualTo(answer(sink.id()));
        }
    }

    /** Its other name is another file to the fence, which is installed there or admits nothing. */
    @Test
    void aHardLinkHasNoPartInTheFence() throws Exception {
        Files.writeString(ledger, "before\n");
        Path other = Files.createLink(folder.resolve("other"), ledger);
        try (Sink sink = installed(ledger)) {
            answer(sink.raise(BILLING, mark(7)));
            FileWrite write = FencedFile.at(other, BOUND).begin();
            write.admit(BILLING, new FencingToken(7));

            assertThatThrownBy(write.append(new byte[] {'x'})::commit)
                    .isInstanceOf(NotAdmittedException.class)
                    .hasMessageContaining("has no fence");
            assertThat(ledger).hasContent("before\n");
        }
    }

    @Test
    void aLockFileThatIsDeletedIsMadeAnewAndHoldsAgain() throws Exception {
        try (Sink sink = installed(ledger)) {
            answer(sink.raise(BILLING, mark(7)));
            write(7, "before\n", false);
            Files.delete(folder.resolve("ledger.txt.fence-lock"));

            write(7, "after\n", false);
            answer(sink.raise(BILLING, mark(8)));

            assertThat(folder.resolve("ledger.txt.fence-lock")).exists();
            assertThat(ledger).hasContent("before\nafter\n");
        }
    }

    @Test
    void theMarksAreReadableByHand() throws Exception {
        try (Sink sink = installed(ledger)) {
            answer(sink.raise(BILLING, mark(7)));

            assertThat(Files.readAllLines(folder.resolve("ledger.txt.fence")))
                    .containsExactly("id " + answer(sink.id()), "mark billing 7 candidate:ada@host-1-x");
        }
    }

    /** A raise writes the whole file anew. */
    @Test
    void whatIsNoMarkIsKeptAsItStandsByTheRaiseOfAnother() throws Exception {
        try (Sink sink = installed(ledger)) {
            Files.writeString(
                    folder.resolve("ledger.txt.fence"),
                    "mark reports seven\nmark x*y 1 candidate:a\n",
                    StandardOpenOption.APPEND);

            answer(sink.raise(BILLING, mark(7)));

            assertThat(Files.readAllLines(folder.resolve("ledger.txt.fence")))
                    .contains("mark reports seven", "mark x*y 1 candidate:a", "mark billing 7 candidate:ada@host-1-x");
        }
    }

    @Test
    void aMissingOrBrokenFenceAdmitsNothingAndSaysSo() throws Exception {
        try (Sink bare = new FileSinkProvider().open("filefence:" + ledger, BOUND)) {
            assertThatThrownBy(() -> answer(bare.id()))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("has no fence: incumbent fence install --sink filefence:");
            assertThatThrownBy(() -> write(7, "x", false)).isInstanceOf(NotAdmittedException.class);
            Files.writeString(folder.resolve("ledger.txt.fence"), "id x\nmark billing seven candidate:a\n");
            assertThat(answer(bare.marks()).marks()).isEmpty();
            assertThat(answer(bare.marks()).unreadable()).containsOnlyKeys(BILLING);
            assertThatThrownBy(() -> answer(bare.raise(BILLING, mark(8))))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("the mark of billing cannot be read");
            assertThatThrownBy(() -> write(7, "x", false)).isInstanceOf(NotAdmittedException.class);
            Files.writeString(folder.resolve("ledger.txt.fence"), "id x\nmarks billing 7 candidate:a\n");
            assertThatThrownBy(() -> answer(bare.marks()))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("the unreadable line 'marks billing 7 candidate:a'");
            assertThatThrownBy(() -> write(7, "x", false)).isInstanceOf(NotAdmittedException.class);
        }
        assertThat(ledger).doesNotExist();
    }

    @Test
    void aMalformedUrlAFolderAndATableAreRefused() {
        FileSinkProvider provider = new FileSinkProvider();

        for (String url :
                List.of("filefence:", "filefence:/", "filefence:" + folder.path(), "filefence:/no/such/folder/f")) {
            assertThatThrownBy(() -> provider.open(url, BOUND)).as(url).isInstanceOf(SinkException.class);
        }
        assertThatThrownBy(() -> provider.guard("filefence:" + ledger, "t", BILLING))
                .isInstanceOf(SinkException.class);
    }

    private void awaitLinesOf(List<String> names) throws Exception {
        try (SystemTimeline time = new SystemTimeline()) {
            long end = time.nanos() + Duration.ofSeconds(60).toNanos();
            while (!names.stream().allMatch(this::hasWritten)) {
                assertThat(time.nanos() - end).as("writing by all of " + names).isNegative();
                SystemTimeline.sleep(Duration.ofMillis(20));
            }
        }
    }

    private boolean hasWritten(String name) {
        try {
            return Files.exists(ledger)
                    && Files.readAllLines(ledger).stream().anyMatch(line -> line.startsWith(name + " "));
        } catch (java.io.IOException e) {
            return false;
        }
    }

    private void write(long token, String text, boolean replaces) throws Exception {
        FileWrite write = FencedFile.at(ledger, BOUND).begin();
        write.admit(BILLING, new FencingToken(token));
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        FileWrite unused = replaces ? write.replace(bytes) : write.append(bytes);
        write.commit();
    }

    private static Sink installed(Path file) {
        FileSinkProvider provider = new FileSinkProvider();
        provider.install("filefence:" + file);
        return provider.open("filefence:" + file, BOUND);
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofCandidate(CandidateId.of("ada", "host", 1, "x")));
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(20, SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
