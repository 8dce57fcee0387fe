package dev.incumbent.coordinator.peers;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The messages of one protocol as bytes: a kind, then its values in their order. What is too short, too long or unknown is no message. Holds no state.
 *
 * @param <M> the messages
 */
abstract class MessageCodec<M> {
    final byte[] written(M message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write(new DataOutputStream(bytes), message);
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
        return bytes.toByteArray();
    }

    final M read(byte[] bytes) throws MessageException {
        ByteArrayInputStream within = new ByteArrayInputStream(bytes);
        M message;
        try {
            message = read(new DataInputStream(within));
        } catch (IOException | IllegalArgumentException e) {
            throw new MessageException(e);
        }
        if (within.available() > 0) {
            throw new MessageException(within.available() + " bytes follow the message");
        }
        return message;
    }

    abstract void write(DataOutputStream out, M message) throws IOException;

    /** Throws an {@link IllegalArgumentException}, too, where what it reads is none. */
    abstract M read(DataInputStream in) throws IOException;

    static IllegalArgumentException unknown(int kind) {
        return new IllegalArgumentException("there is no message of kind " + kind);
    }
}
