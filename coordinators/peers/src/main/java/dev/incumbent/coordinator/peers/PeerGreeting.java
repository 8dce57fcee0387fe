package dev.incumbent.coordinator.peers;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.peers.MemberId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a member says first on each connection: which group it belongs to, who it is, and whom it means.
 *
 * @param group the election, after which the group is named
 * @param ring all members in their order, as this member's configuration has them
 * @param candidate what followers are told of this member while it leads
 */
record PeerGreeting(
        PeerKind kind, ElectionName group, List<MemberId> ring, MemberId from, MemberId to, Candidate candidate) {
    /** The first bytes of a greeting. The number is that of the wire format. */
    static final String MAGIC = "incumbent-peers-1";

    private static final int MOST_MEMBERS = 255;

    PeerGreeting {
        ring = List.copyOf(ring);
    }

    static final MessageCodec<PeerGreeting> CODEC = new MessageCodec<>() {
        @Override
        void write(DataOutputStream out, PeerGreeting greeting) throws IOException {
            out.writeUTF(MAGIC);
            out.writeUTF(greeting.kind().toString());
            out.writeUTF(greeting.group().value());
            out.writeByte(greeting.ring().size());
            for (MemberId member : greeting.ring()) {
                out.writeUTF(member.value());
            }
            out.writeUTF(greeting.from().value());
            out.writeUTF(greeting.to().value());
            out.writeUTF(greeting.candidate().id().value());
            out.writeUTF(greeting.candidate().name());
            out.writeUTF(greeting.candidate().address());
        }

        @Override
        PeerGreeting read(DataInputStream in) throws IOException {
            requireMagic(in.readUTF());
            PeerKind kind = kind(in.readUTF());
            ElectionName group = new ElectionName(in.readUTF());
            List<MemberId> ring = new ArrayList<>();
            for (int left = in.readUnsignedByte(); left > 0; left--) {
                ring.add(new MemberId(in.readUTF()));
            }
            MemberId from = new MemberId(in.readUTF());
            MemberId to = new MemberId(in.readUTF());
            Candidate candidate = new Candidate(new CandidateId(in.readUTF()), in.readUTF(), in.readUTF());
            return new PeerGreeting(kind, group, ring, from, to, candidate);
        }
    };

    static void requireMagic(String magic) {
        if (!magic.equals(MAGIC)) {
            throw new IllegalArgumentException("it begins with '" + shown(magic) + "', this version speaks " + MAGIC);
        }
    }

    static PeerKind kind(String text) {
        return PeerKind.ofScheme("peers+" + text)
                .orElseThrow(() -> new IllegalArgumentException("its protocol is unknown"));
    }

    /** Why the member that says this does not belong to that group, or does not mean that member; empty where it does. */
    Optional<String> refusedBy(PeerGreeting mine) {
        if (kind != mine.kind) {
            return Optional.of(from + " elects by " + kind + ", and " + mine.from + " by " + mine.kind);
        }
        if (!group.equals(mine.group)) {
            return Optional.of(from + " belongs to the group " + group + ", and " + mine.from + " to " + mine.group);
        }
        if (!ring.equals(mine.ring)) {
            return Optional.of(from + " has the members " + text(ring) + ", and " + mine.from + " has "
                    + text(mine.ring) + ": give all members the same list");
        }
        if (!to.equals(mine.from)) {
            return Optional.of(from + " wants to reach " + to + ", and this is " + mine.from);
        }
        return from.equals(mine.from) || !ring.contains(from)
                ? Optional.of("a member that calls itself " + from + " reached " + mine.from)
                : Optional.empty();
    }

    /** The members as they stand in a URI. */
    static String text(List<MemberId> ring) {
        return ring.stream().map(MemberId::value).collect(Collectors.joining(","));
    }

    private static String shown(String text) {
        return text.length() > MOST_MEMBERS ? text.substring(0, MOST_MEMBERS) : text;
    }
}
