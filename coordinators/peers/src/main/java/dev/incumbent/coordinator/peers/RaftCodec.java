package dev.incumbent.coordinator.peers;

import dev.incumbent.peers.raft.RaftMessage;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** The messages of Raft as bytes. */
final class RaftCodec extends MessageCodec<RaftMessage> {
    private static final int REQUEST_PRE_VOTE = 1;
    private static final int GRANT_PRE_VOTE = 2;
    private static final int REQUEST_VOTE = 3;
    private static final int GRANT_VOTE = 4;
    private static final int HEARTBEAT = 5;
    private static final int HEARTBEAT_TAKEN = 6;
    private static final int HIGHER_TERM = 7;
    private static final int TIMEOUT_NOW = 8;
    private static final int ASK_TERM = 9;
    private static final int TELL_TERM = 10;
    private static final long MOST_TERM = Long.MAX_VALUE / 2;
    private static final long MOST_LEASE_NANOS = 3_600_000_000_000L;

    @Override
    void write(DataOutputStream out, RaftMessage message) throws IOException {
        if (message instanceof RaftMessage.RequestPreVote m) {
            number(out, REQUEST_PRE_VOTE, m.term());
        } else if (message instanceof RaftMessage.GrantPreVote m) {
            number(out, GRANT_PRE_VOTE, m.term());
        } else if (message instanceof RaftMessage.RequestVote m) {
            number(out, REQUEST_VOTE, m.term());
            out.writeBoolean(m.transfer());
        } else if (message instanceof RaftMessage.GrantVote m) {
            number(out, GRANT_VOTE, m.term());
        } else if (message instanceof RaftMessage.Heartbeat m) {
            number(out, HEARTBEAT, m.term());
            out.writeLong(m.sentAtNanos());
            out.writeLong(m.leaseNanos());
        } else if (message instanceof RaftMessage.HeartbeatTaken m) {
            number(out, HEARTBEAT_TAKEN, m.term());
            out.writeLong(m.sentAtNanos());
        } else if (message instanceof RaftMessage.HigherTerm m) {
            number(out, HIGHER_TERM, m.term());
        } else if (message instanceof RaftMessage.TimeoutNow m) {
            number(out, TIMEOUT_NOW, m.term());
        } else if (message instanceof RaftMessage.AskTerm m) {
            number(out, ASK_TERM, m.nonce());
        } else if (message instanceof RaftMessage.TellTerm m) {
            number(out, TELL_TERM, m.nonce());
            out.writeUTF(m.group());
            out.writeLong(m.term());
        }
    }

    private static void number(DataOutputStream out, int kind, long value) throws IOException {
        out.writeByte(kind);
        out.writeLong(value);
    }

    @Override
    RaftMessage read(DataInputStream in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case REQUEST_PRE_VOTE -> new RaftMessage.RequestPreVote(term(in));
            case GRANT_PRE_VOTE -> new RaftMessage.GrantPreVote(term(in));
            case REQUEST_VOTE -> new RaftMessage.RequestVote(term(in), in.readBoolean());
            case GRANT_VOTE -> new RaftMessage.GrantVote(term(in));
            case HEARTBEAT -> new RaftMessage.Heartbeat(term(in), in.readLong(), length(in));
            case HEARTBEAT_TAKEN -> new RaftMessage.HeartbeatTaken(term(in), in.readLong());
            case HIGHER_TERM -> new RaftMessage.HigherTerm(term(in));
            case TIMEOUT_NOW -> new RaftMessage.TimeoutNow(term(in));
            case ASK_TERM -> new RaftMessage.AskTerm(in.readLong());
            case TELL_TERM -> new RaftMessage.TellTerm(in.readLong(), in.readUTF(), term(in));
            default -> throw unknown(kind);
        };
    }

    /** A term near the greatest number would leave none above it. */
    private static long term(DataInputStream in) throws IOException {
        long term = in.readLong();
        if (term < 0 || term > MOST_TERM) {
            throw new IllegalArgumentException("a term is from 0 to " + MOST_TERM + ", this one is " + term);
        }
        return term;
    }

    private static long length(DataInputStream in) throws IOException {
        long nanos = in.readLong();
        if (nanos < 0 || nanos > MOST_LEASE_NANOS) {
            throw new IllegalArgumentException(
                    "a lease takes from 0 to " + MOST_LEASE_NANOS + " ns, this one " + nanos);
        }
        return nanos;
    }
}
