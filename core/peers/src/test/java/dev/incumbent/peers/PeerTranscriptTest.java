package dev.incumbent.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.peers.ring.RingForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each transcript is what the machines answer today, line by line. {@code -Dtranscripts=rewrite} writes them anew: read the difference before keeping it. */
class PeerTranscriptTest {
    private static final Path TRANSCRIPTS = Path.of("src/test/resources/transcripts");
    private static final boolean REWRITE = "rewrite".equals(System.getProperty("transcripts"));

    static List<Path> plays() throws IOException {
        try (Stream<Path> all = Files.walk(TRANSCRIPTS)) {
            return all.filter(path -> path.toString().endsWith(".txt")).sorted().toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plays")
    void theMachinesAnswerAsTheTranscriptSays(Path play) throws IOException {
        String transcript = Files.readString(play);

        String played = PeerPlay.played(protocol(name(play)), transcript);

        if (REWRITE) {
            Files.writeString(play, played);
        }
        assertThat(played.lines().anyMatch(line -> line.matches("    \\S+ = .*")))
                .as("%s expects something", play)
                .isTrue();
        assertThat(transcript).startsWith("# ");
        assertThat(REWRITE ? played : transcript).isEqualTo(played);
    }

    @Test
    void everyTranscriptIsInTheIndex() throws IOException {
        String index = Files.readString(TRANSCRIPTS.resolve("README.md"));

        assertThat(plays()).allSatisfy(play -> assertThat(index).contains(name(play)));
    }

    private static PlayedProtocol<?, ?, ?> protocol(String name) {
        if (name.startsWith("bully-")) {
            return new PlayedBully();
        } else if (name.startsWith("raft-")) {
            return new PlayedRaft();
        }
        return new PlayedRing(name.startsWith("ring-list-") ? RingForm.LIST : RingForm.GREATEST);
    }

    private static String name(Path play) {
        return TRANSCRIPTS.relativize(play).toString();
    }
}
