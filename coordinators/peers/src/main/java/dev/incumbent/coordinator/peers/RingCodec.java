package dev.incumbent.coordinator.peers;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.ring.RingMessage;
import dev.incumbent.peers.ring.RingToken;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The messages of a ring as bytes. */
final class RingCodec extends MessageCodec<RingMessage> {
    private static final int CANDIDATURE = 1;
    private static final int COLLECTION = 2;
    private static final int ANNOUNCEMENT = 3;
    private static final int TAKEN = 4;
    private static final int HEARTBEAT = 5;

    @Override
    void write(DataOutputStream out, RingMessage message) throws IOException {
        if (message instanceof RingMessage.Passed passed) {
            write(out, passed.number(), passed.token());
        } else if (message instanceof RingMessage.Taken taken) {
            out.writeByte(TAKEN);
            out.writeLong(taken.number());
        } else {
            out.writeByte(HEARTBEAT);
        }
    }

    private static void write(DataOutputStream out, long number, RingToken token) throws IOException {
        if (token instanceof RingToken.Candidature candidature) {
            out.writeByte(CANDIDATURE);
            out.writeLong(number);
            out.writeUTF(candidature.greatest().value());
            out.writeInt(candidature.hops());
        } else if (token instanceof RingToken.Collection collection) {
            out.writeByte(COLLECTION);
            out.writeLong(number);
            out.writeByte(collection.members().size());
            for (MemberId member : collection.members()) {
                out.writeUTF(member.value());
            }
        } else if (token instanceof RingToken.Announcement announcement) {
            out.writeByte(ANNOUNCEMENT);
            out.writeLong(number);
            out.writeUTF(announcement.leader().value());
            out.writeUTF(announcement.origin().value());
            out.writeInt(announcement.hops());
        }
    }

    @Override
    RingMessage read(DataInputStream in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case CANDIDATURE -> new RingMessage.Passed(in.readLong(), new RingToken.Candidature(member(in), hops(in)));
            case COLLECTION -> new RingMessage.Passed(in.readLong(), new RingToken.Collection(members(in)));
            case ANNOUNCEMENT ->
                new RingMessage.Passed(in.readLong(), new RingToken.Announcement(member(in), member(in), hops(in)));
            case TAKEN -> new RingMessage.Taken(in.readLong());
            case HEARTBEAT -> new RingMessage.Heartbeat();
            default -> throw unknown(kind);
        };
    }

    /** A token ends after as many as there are members; one below zero would go round for years. */
    private static int hops(DataInputStream in) throws IOException {
        int hops = in.readInt();
        if (hops < 0 || hops > PeersUri.MOST_MEMBERS) {
            throw new IllegalArgumentException(
                    "a token was passed from 0 to " + PeersUri.MOST_MEMBERS + " times, this one " + hops);
        }
        return hops;
    }

    private static MemberId member(DataInputStream in) throws IOException {
        return new MemberId(in.readUTF());
    }

    private static List<MemberId> members(DataInputStream in) throws IOException {
        List<MemberId> members = new ArrayList<>();
        int size = in.readUnsignedByte();
        if (size == 0 || size > PeersUri.MOST_MEMBERS) {
            throw new IllegalArgumentException(
                    "a list has from 1 to " + PeersUri.MOST_MEMBERS + " members, this one " + size);
        }
        for (int left = size; left > 0; left--) {
            members.add(member(in));
        }
        return members;
    }
}
