package dev.incumbent.beats.netty;

import dev.incumbent.beats.Message;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Messages as bytes: a kind, then its values in their order. What is too short, too long or illegal is no message. */
final class Wording {
    private static final int BEAT = 1;
    private static final int CHANGE = 2;
    private static final int ACKNOWLEDGED = 3;
    private static final int QUESTION = 4;
    private static final int VOTE = 5;
    private static final int GOODBYE = 6;

    private Wording() {}

    /** What is no message. */
    static final class NoMessageException extends Exception {
        private static final long serialVersionUID = 1L;

        NoMessageException(String why) {
            super(why);
        }

        NoMessageException(Exception cause) {
            super("it is no message: " + cause, cause);
        }
    }

    static byte[] written(Message message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write(new DataOutputStream(bytes), message);
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Message message) throws IOException {
        if (message instanceof Message.Beat beat) {
            out.writeByte(BEAT);
            out.writeLong(beat.sequence());
            out.writeLong(beat.generation());
        } else if (message instanceof Message.Change change) {
            out.writeByte(CHANGE);
            write(out, change);
        } else if (message instanceof Message.Acknowledged acknowledged) {
            out.writeByte(ACKNOWLEDGED);
            out.writeLong(acknowledged.generation());
        } else if (message instanceof Message.Question question) {
            out.writeByte(QUESTION);
            out.writeLong(question.askedAtNanos());
            out.writeUTF(question.about().value());
            out.writeLong(question.generation());
        } else if (message instanceof Message.Vote vote) {
            out.writeByte(VOTE);
            out.writeLong(vote.askedAtNanos());
            out.writeUTF(vote.about().value());
        } else {
            out.writeByte(GOODBYE);
        }
    }

    private static void write(DataOutputStream out, Message.Change change) throws IOException {
        out.writeLong(change.from());
        out.writeLong(change.to());
        out.writeInt(change.terms().size());
        for (var term : change.terms().entrySet()) {
            out.writeUTF(term.getKey().value());
            out.writeLong(term.getValue());
        }
        out.writeInt(change.ended().size());
        for (ElectionName ended : change.ended()) {
            out.writeUTF(ended.value());
        }
        out.writeInt(change.joined().size());
        for (var joined : change.joined().entrySet()) {
            out.writeUTF(joined.getKey().value());
            out.writeUTF(joined.getValue());
        }
        out.writeInt(change.left().size());
        for (CandidateId left : change.left()) {
            out.writeUTF(left.value());
        }
    }

    static Message read(byte[] bytes) throws NoMessageException {
        ByteArrayInputStream within = new ByteArrayInputStream(bytes);
        Message message;
        try {
            message = read(new DataInputStream(within));
        } catch (IOException | IllegalArgumentException e) {
            throw new NoMessageException(e);
        }
        if (within.available() > 0) {
            throw new NoMessageException(within.available() + " bytes follow the message");
        }
        return message;
    }

    private static Message read(DataInputStream in) throws IOException {
        int kind = in.readByte();
        return switch (kind) {
            case BEAT -> new Message.Beat(in.readLong(), in.readLong());
            case CHANGE ->
                new Message.Change(in.readLong(), in.readLong(), terms(in), names(in), addresses(in), candidates(in));
            case ACKNOWLEDGED -> new Message.Acknowledged(in.readLong());
            case QUESTION -> new Message.Question(in.readLong(), new CandidateId(in.readUTF()), in.readLong());
            case VOTE -> new Message.Vote(in.readLong(), new CandidateId(in.readUTF()));
            case GOODBYE -> new Message.Goodbye();
            default -> throw new IllegalArgumentException("there is no kind " + kind);
        };
    }

    private static int count(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0) {
            throw new IllegalArgumentException("a list has " + count + " parts");
        }
        return count;
    }

    private static Map<ElectionName, Long> terms(DataInputStream in) throws IOException {
        Map<ElectionName, Long> terms = new TreeMap<>();
        for (int left = count(in); left > 0; left--) {
            terms.put(new ElectionName(in.readUTF()), in.readLong());
        }
        return terms;
    }

    private static Set<ElectionName> names(DataInputStream in) throws IOException {
        Set<ElectionName> names = new TreeSet<>();
        for (int left = count(in); left > 0; left--) {
            names.add(new ElectionName(in.readUTF()));
        }
        return names;
    }

    private static Map<CandidateId, String> addresses(DataInputStream in) throws IOException {
        Map<CandidateId, String> addresses = new TreeMap<>();
        for (int left = count(in); left > 0; left--) {
            addresses.put(new CandidateId(in.readUTF()), in.readUTF());
        }
        return addresses;
    }

    private static Set<CandidateId> candidates(DataInputStream in) throws IOException {
        Set<CandidateId> candidates = new TreeSet<>();
        for (int left = count(in); left > 0; left--) {
            candidates.add(new CandidateId(in.readUTF()));
        }
        return candidates;
    }
}
