package dev.incumbent.beats.netty;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Mac;

/** One direction of a connection: each frame bears a proof over its number and its text, so that it counts once, here, and in its turn. Used by one thread. */
final class Seal {
    private static final int LENGTH = 16;

    private final Mac mac;
    private long count;

    Seal(byte[] key) {
        this.mac = Keys.mac(key);
    }

    byte[] sealed(byte[] text) {
        byte[] sealed = Arrays.copyOf(text, text.length + LENGTH);
        System.arraycopy(next(text), 0, sealed, text.length, LENGTH);
        return sealed;
    }

    /** The text of the next frame; empty where its proof is wrong. */
    Optional<byte[]> opened(byte[] sealed) {
        if (sealed.length < LENGTH) {
            return Optional.empty();
        }
        byte[] text = Arrays.copyOf(sealed, sealed.length - LENGTH);
        byte[] proof = Arrays.copyOfRange(sealed, text.length, sealed.length);
        return MessageDigest.isEqual(proof, Arrays.copyOf(next(text), LENGTH)) ? Optional.of(text) : Optional.empty();
    }

    private byte[] next(byte[] text) {
        mac.update(ByteBuffer.allocate(Long.BYTES).putLong(++count).array());
        return mac.doFinal(text);
    }
}
