package dev.incumbent.coordinator.peers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Frames on a connection: a length of two bytes, a kind of one, and what the kind says. None is longer than {@link #LONGEST}. */
final class PeerFrames {
    /** A greeting, the first frame of each side. */
    static final int GREETING = 1;

    /** Why the connection ends, as a sentence, in place of a greeting. */
    static final int REFUSAL = 2;

    /** A message of the protocol. */
    static final int MESSAGE = 3;

    /** Nothing, so that a connection without messages is known to live. */
    static final int ALIVE = 4;

    /** A question of somebody who is no member, in place of a greeting. */
    static final int QUESTION = 5;

    /** The answer to a question; the connection ends after it. */
    static final int STANDING = 6;

    /** A list of 99 members with long names fits. */
    static final int LONGEST = 32_768;

    private PeerFrames() {}

    /** What has arrived. */
    static final class PeerFrame {
        private final int kind;
        private final byte[] body;

        private PeerFrame(int kind, byte[] body) {
            this.kind = kind;
            this.body = body;
        }

        int kind() {
            return kind;
        }

        byte[] body() {
            return body;
        }
    }

    /** Blocks until a frame is there. Throws an {@link IOException} at the end, and where the other end's frame is too long. */
    static PeerFrame read(DataInputStream in) throws IOException {
        int length = in.readUnsignedShort();
        if (length > LONGEST) {
            throw new IOException("a frame has at most " + LONGEST + " bytes, this one has " + length);
        }
        int kind = in.readUnsignedByte();
        byte[] body = new byte[length];
        in.readFully(body);
        return new PeerFrame(kind, body);
    }

    static void write(DataOutputStream out, int kind, byte[] body) throws IOException {
        if (body.length > LONGEST) {
            throw new IOException("a frame has at most " + LONGEST + " bytes, this one has " + body.length);
        }
        out.writeShort(body.length);
        out.writeByte(kind);
        out.write(body);
    }
}
