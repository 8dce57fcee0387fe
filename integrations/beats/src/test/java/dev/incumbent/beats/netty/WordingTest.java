package dev.incumbent.beats.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.beats.Message;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each message is read as it was written, and what is none is refused. */
class WordingTest {
    private static final CandidateId ADA = new CandidateId("ada");
    private static final CandidateId BOB = new CandidateId("bob");

    static List<Message> messages() {
        return List.of(
                new Message.Beat(7, 3),
                new Message.Beat(Long.MAX_VALUE, Long.MIN_VALUE),
                new Message.Change(0, 1, Map.of(), Set.of(), Map.of(), Set.of()),
                new Message.Change(
                        4,
                        5,
                        Map.of(new ElectionName("billing/closer"), 7L, new ElectionName("payroll"), 1L),
                        Set.of(new ElectionName("audit")),
                        Map.of(ADA, "h1:7400", BOB, "[::1]:7400"),
                        Set.of(new CandidateId("cay"), new CandidateId("dee"))),
                new Message.Acknowledged(9),
                new Message.Question(-5, ADA, 8),
                new Message.Vote(-5, BOB),
                new Message.Goodbye());
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aMessageIsReadAsItWasWritten(Message message) throws Wording.NoMessageException {
        assertThat(Wording.read(Wording.written(message))).isEqualTo(message);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void whatIsCutOffOrGoesOnIsNoMessage(Message message) {
        byte[] whole = Wording.written(message);

        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> Wording.read(part)).isInstanceOf(Wording.NoMessageException.class);
        }
        assertThatThrownBy(() -> Wording.read(Arrays.copyOf(whole, whole.length + 1)))
                .isInstanceOf(Wording.NoMessageException.class)
                .hasMessage("1 bytes follow the message");
    }

    @Test
    void aKindThatNobodyKnowsIsNoMessage() {
        for (byte kind : new byte[] {0, 7, -1}) {
            assertThatThrownBy(() -> Wording.read(new byte[] {kind}))
                    .isInstanceOf(Wording.NoMessageException.class)
                    .hasMessageContaining("there is no kind " + kind);
        }
    }

    /** A name that no election may have, a list that is longer than its message, and 100,000 other frames of a fixed seed: each is a message, or refused. */
    @Test
    void noBytesDoMoreThanBeRefused() {
        Random random = new Random(14);
        List<Message> all = messages();
        int refused = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] bytes = Wording.written(all.get(i % all.size()));
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(Wording.read(bytes)).isNotNull();
            } catch (Wording.NoMessageException none) {
                refused++;
            }
        }
        assertThat(refused).isBetween(10_000, 90_000);
    }
}
