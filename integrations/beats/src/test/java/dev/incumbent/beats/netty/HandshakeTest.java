package dev.incumbent.beats.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.beats.Peer;
import dev.incumbent.model.CandidateId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is at the other end is proved before anything is believed, and each frame counts once, in its turn, in its direction, on its connection. */
class HandshakeTest {
    private static final Peer ADA = new Peer(new CandidateId("ada"), "h1:7400");
    private static final Peer BOB = new Peer(new CandidateId("bob"), "h2:7400");
    private static final String KEY = "a key of some length";

    @TempDir
    Path folder;

    @Test
    void bothKnowEachOtherInTheEnd() throws IOException {
        Handshake dialler = new Handshake(ADA, true, keys(KEY));
        Handshake listener = new Handshake(BOB, false, keys(KEY));

        shake(dialler, listener);

        assertThat(dialler.isDone()).isTrue();
        assertThat(listener.isDone()).isTrue();
        assertThat(dialler.peer()).isEqualTo(BOB);
        assertThat(listener.peer()).isEqualTo(ADA);
    }

    @Test
    void aListenerBelievesNobodyBeforeTheProof() throws IOException {
        Handshake listener = new Handshake(BOB, false, keys(KEY));

        assertThat(listener.heard(new Handshake(ADA, true, keys(KEY)).greeting()))
                .isPresent();

        assertThat(listener.isDone()).isFalse();
        assertThat(listener.heard(new byte[32])).isEmpty();
        assertThat(listener.isDone()).isFalse();
    }

    @Test
    void withoutTheKeyNeitherEndIsBelieved() throws IOException {
        for (Keys other : new Keys[] {keys("another key of some length"), Keys.none()}) {
            Handshake dialler = new Handshake(ADA, true, other);
            Handshake listener = new Handshake(BOB, false, keys(KEY));
            byte[] answer = listener.heard(dialler.greeting()).orElseThrow();

            assertThat(dialler.heard(answer)).isEmpty();
            assertThat(dialler.isDone()).isFalse();
        }
    }

    /** Proofs cover the numbers of both greetings. */
    @Test
    void aProofOfAnotherConnectionProvesNothing() throws IOException {
        Handshake dialler = new Handshake(ADA, true, keys(KEY));
        Handshake listener = new Handshake(BOB, false, keys(KEY));
        byte[] proof =
                dialler.heard(listener.heard(dialler.greeting()).orElseThrow()).orElseThrow();
        Handshake another = new Handshake(BOB, false, keys(KEY));
        assertThat(another.heard(dialler.greeting())).isPresent();

        assertThat(another.heard(proof)).isEmpty();
        assertThat(listener.heard(proof)).isPresent();
    }

    @Test
    void whoFindsAnotherThanItWantsProvesNothing() throws IOException {
        Handshake dialler = Handshake.dialling(ADA, new CandidateId("cay"), keys(KEY));
        Handshake listener = new Handshake(BOB, false, keys(KEY));

        assertThat(dialler.heard(listener.heard(dialler.greeting()).orElseThrow()))
                .isEmpty();
        Handshake wanting = Handshake.dialling(ADA, BOB.id(), keys(KEY));
        shake(wanting, new Handshake(BOB, false, keys(KEY)));
        assertThat(wanting.isDone()).isTrue();
    }

    /** Else what one part ends with could be what the next begins with. */
    @Test
    void aProofTellsWhereItsPartsEnd() {
        assertThat(Keys.proof(text(KEY), "w", text("ab"), text("c")))
                .isNotEqualTo(Keys.proof(text(KEY), "w", text("a"), text("bc")));
        assertThat(new Seal(text(KEY)).sealed(text("text"))).hasSize(4 + 16);
    }

    @Test
    void aListenersProofIsNoDiallers() throws IOException {
        Handshake dialler = new Handshake(ADA, true, keys(KEY));
        Handshake listener = new Handshake(BOB, false, keys(KEY));
        byte[] answer = listener.heard(dialler.greeting()).orElseThrow();
        byte[] itsProof = Arrays.copyOfRange(answer, answer.length - 32, answer.length);

        assertThat(listener.heard(itsProof)).isEmpty();
    }

    @Test
    void aGreetingThatIsNoneIsRefused() {
        byte[] greeting = new Handshake(ADA, true, Keys.none()).greeting();
        byte[] otherMagic = greeting.clone();
        otherMagic[5]++;
        byte[] tooLong = Arrays.copyOf(greeting, greeting.length + 1);
        byte[] tooShort = Arrays.copyOf(greeting, greeting.length - 1);
        byte[] http = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

        for (byte[] said : new byte[][] {otherMagic, tooLong, tooShort, http, {}}) {
            assertThat(new Handshake(BOB, false, Keys.none()).heard(said)).isEmpty();
            assertThat(new Handshake(BOB, true, Keys.none()).heard(said)).isEmpty();
        }
    }

    @Test
    void aFrameCountsOnceInItsTurnAndDirection() throws IOException {
        Handshake dialler = new Handshake(ADA, true, keys(KEY));
        Handshake listener = new Handshake(BOB, false, keys(KEY));
        shake(dialler, listener);
        Seal sends = dialler.sending();
        byte[] first = sends.sealed(text("one"));
        byte[] second = sends.sealed(text("two"));

        Seal receives = listener.receiving();
        assertThat(receives.opened(first).map(HandshakeTest::text)).contains("one");
        assertThat(receives.opened(second).map(HandshakeTest::text)).contains("two");
        assertThat(receives.opened(second)).as("replayed").isEmpty();
        assertThat(listener.receiving().opened(second)).as("out of turn").isEmpty();
        assertThat(dialler.receiving().opened(first)).as("sent back").isEmpty();
    }

    @Test
    void aFrameThatWasTouchedIsNotOpened() throws IOException {
        Handshake dialler = new Handshake(ADA, true, keys(KEY));
        Handshake listener = new Handshake(BOB, false, keys(KEY));
        shake(dialler, listener);
        byte[] frame = dialler.sending().sealed(text("one"));

        for (int at = 0; at < frame.length; at++) {
            byte[] touched = frame.clone();
            touched[at]++;
            assertThat(listener.receiving().opened(touched)).isEmpty();
        }
        assertThat(listener.receiving().opened(new byte[15])).isEmpty();
    }

    /** Whoever knows no key can compute this one: it only keeps those out who have one. */
    @Test
    void withoutKeysFramesOfTwoConnectionsDiffer() {
        Handshake dialler = new Handshake(ADA, true, Keys.none());
        Handshake listener = new Handshake(BOB, false, Keys.none());
        shake(dialler, listener);
        Handshake again = new Handshake(ADA, true, Keys.none());
        shake(again, new Handshake(BOB, false, Keys.none()));

        assertThat(listener.receiving().opened(again.sending().sealed(text("one"))))
                .isEmpty();
    }

    private static void shake(Handshake dialler, Handshake listener) {
        Optional<byte[]> proof =
                dialler.heard(listener.heard(dialler.greeting()).orElseThrow());
        assertThat(listener.heard(proof.orElseThrow())).isPresent();
    }

    private Keys keys(String text) throws IOException {
        return Keys.in(Files.writeString(Files.createTempFile(folder, "keys", ""), text));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
