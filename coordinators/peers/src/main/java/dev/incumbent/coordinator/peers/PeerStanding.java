package dev.incumbent.coordinator.peers;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.peers.MemberId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * What a member tells of itself to whoever asks.
 *
 * @param term the greatest that it knows; 0 where the protocol has none
 * @param leads does its guard say yes
 * @param remaining for how long its guard says yes, if it leads and nobody answers any more
 * @param since when it began to lead, or else to stand, by its wall clock
 */
record PeerStanding(
        PeerKind kind,
        ElectionName group,
        MemberId member,
        Candidate candidate,
        long term,
        boolean leads,
        Duration lease,
        Duration remaining,
        Instant since) {
    static final MessageCodec<PeerStanding> CODEC = new MessageCodec<>() {
        @Override
        void write(DataOutputStream out, PeerStanding standing) throws IOException {
            out.writeUTF(PeerGreeting.MAGIC);
            out.writeUTF(standing.kind().toString());
            out.writeUTF(standing.group().value());
            out.writeUTF(standing.member().value());
            out.writeUTF(standing.candidate().id().value());
            out.writeUTF(standing.candidate().name());
            out.writeUTF(standing.candidate().address());
            out.writeLong(standing.term());
            out.writeBoolean(standing.leads());
            out.writeLong(standing.lease().toMillis());
            out.writeLong(standing.remaining().toMillis());
            out.writeLong(standing.since().toEpochMilli());
        }

        @Override
        PeerStanding read(DataInputStream in) throws IOException {
            PeerGreeting.requireMagic(in.readUTF());
            return new PeerStanding(
                    PeerGreeting.kind(in.readUTF()),
                    new ElectionName(in.readUTF()),
                    new MemberId(in.readUTF()),
                    new Candidate(new CandidateId(in.readUTF()), in.readUTF(), in.readUTF()),
                    notNegative(in.readLong()),
                    in.readBoolean(),
                    Duration.ofMillis(notNegative(in.readLong())),
                    Duration.ofMillis(notNegative(in.readLong())),
                    Instant.ofEpochMilli(notNegative(in.readLong())));
        }
    };

    private static long notNegative(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("a number below zero, " + number);
        }
        return number;
    }
}
