package dev.incumbent.coordinator.peers;

import dev.incumbent.peers.bully.BullyMessage;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** The messages of a bully as bytes. */
final class BullyCodec extends MessageCodec<BullyMessage> {
    private static final int ELECTION = 1;
    private static final int ALIVE = 2;
    private static final int COORDINATOR = 3;
    private static final int HEARTBEAT = 4;

    @Override
    void write(DataOutputStream out, BullyMessage message) throws IOException {
        out.writeByte(
                switch (message) {
                    case ELECTION -> ELECTION;
                    case ALIVE -> ALIVE;
                    case COORDINATOR -> COORDINATOR;
                    case HEARTBEAT -> HEARTBEAT;
                });
    }

    @Override
    BullyMessage read(DataInputStream in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case ELECTION -> BullyMessage.ELECTION;
            case ALIVE -> BullyMessage.ALIVE;
            case COORDINATOR -> BullyMessage.COORDINATOR;
            case HEARTBEAT -> BullyMessage.HEARTBEAT;
            default -> throw unknown(kind);
        };
    }
}
