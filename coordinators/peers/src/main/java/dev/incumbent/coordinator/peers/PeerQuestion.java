package dev.incumbent.coordinator.peers;

import dev.incumbent.model.CandidateId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** What somebody who is no member asks a member; each is answered by a {@link PeerStanding}. */
sealed interface PeerQuestion {
    /** How do you stand? */
    record HowItStands() implements PeerQuestion {}

    /** If you lead that term, hand over to that candidate. */
    record HandOver(long term, CandidateId successor) implements PeerQuestion {}

    /** If you lead that term, resign. */
    record GiveUp(long term) implements PeerQuestion {}

    MessageCodec<PeerQuestion> CODEC = new MessageCodec<>() {
        private static final int HOW_IT_STANDS = 1;
        private static final int HAND_OVER = 2;
        private static final int GIVE_UP = 3;

        @Override
        void write(DataOutputStream out, PeerQuestion question) throws IOException {
            out.writeUTF(PeerGreeting.MAGIC);
            if (question instanceof HandOver one) {
                out.writeByte(HAND_OVER);
                out.writeLong(one.term());
                out.writeUTF(one.successor().value());
            } else if (question instanceof GiveUp one) {
                out.writeByte(GIVE_UP);
                out.writeLong(one.term());
            } else {
                out.writeByte(HOW_IT_STANDS);
            }
        }

        @Override
        PeerQuestion read(DataInputStream in) throws IOException {
            PeerGreeting.requireMagic(in.readUTF());
            int kind = in.readByte();
            return switch (kind) {
                case HOW_IT_STANDS -> new HowItStands();
                case HAND_OVER -> new HandOver(in.readLong(), new CandidateId(in.readUTF()));
                case GIVE_UP -> new GiveUp(in.readLong());
                default -> throw unknown(kind);
            };
        }
    };
}
