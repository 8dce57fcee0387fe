package dev.incumbent.beats.netty;

import dev.incumbent.beats.Peer;
import dev.incumbent.model.CandidateId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How two processes that share a key find out who is at the other end. Whoever dials says who it is; the other end says so, too, and proves that it knows a key of theirs; then who dialled proves that it knows that one. Each proof
 * covers both greetings, and with them a number that was never used before. Used by one thread.
 */
final class Handshake {
    private static final String MAGIC = "incumbent-beats-1";
    private static final int NONCE = 16;
    private static final int PROOF = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final boolean dials;
    private final Predicate<CandidateId> isWanted;
    private final Keys keys;
    private final byte[] mine;
    private byte[] theirs = new byte[0];
    private Optional<Peer> peer = Optional.empty();
    private Optional<byte[]> key = Optional.empty();

    /** Of a listener, or of somebody who dials whomever it finds. */
    Handshake(Peer me, boolean dials, Keys keys) {
        this(me, dials, keys, found -> true);
    }

    /** Of somebody who proves nothing to anybody but whom it wants. */
    static Handshake dialling(Peer me, CandidateId wanted, Keys keys) {
        return new Handshake(me, true, keys, wanted::equals);
    }

    private Handshake(Peer me, boolean dials, Keys keys, Predicate<CandidateId> isWanted) {
        this.dials = dials;
        this.isWanted = isWanted;
        this.keys = keys;
        this.mine = greeting(me);
    }

    private static byte[] greeting(Peer me) {
        byte[] nonce = new byte[NONCE];
        RANDOM.nextBytes(nonce);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(MAGIC);
            out.writeUTF(me.id().value());
            out.writeUTF(me.address());
            out.write(nonce);
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
        return bytes.toByteArray();
    }

    boolean dials() {
        return dials;
    }

    /** What who dials says first. */
    byte[] greeting() {
        return mine;
    }

    /** Takes what the other end has said; what is to be said next, or empty where it is not one of ours. Is it over, {@link #isDone} tells. */
    Optional<byte[]> heard(byte[] said) {
        if (dials) {
            return answered(said);
        }
        return theirs.length == 0 ? greeted(said) : proved(said);
    }

    /** A listener is greeted: it answers with its own greeting, and a proof by each of its keys. */
    private Optional<byte[]> greeted(byte[] said) {
        peer = peerOf(said);
        if (peer.isEmpty()) {
            return Optional.empty();
        }
        theirs = said;
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(answer)) {
            out.writeShort(mine.length);
            out.write(mine);
            for (byte[] one : keys.now()) {
                out.write(Keys.proof(one, "listener", theirs, mine));
            }
        } catch (IOException never) {
            throw new UncheckedIOException(never);
        }
        return Optional.of(answer.toByteArray());
    }

    /** Who dialled is answered: it takes the first of its keys by which the answer is proved. */
    private Optional<byte[]> answered(byte[] said) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(said))) {
            theirs = new byte[in.readUnsignedShort()];
            in.readFully(theirs);
            peer = peerOf(theirs).filter(found -> isWanted.test(found.id()));
            byte[] proofs = in.readAllBytes();
            for (byte[] one : keys.now()) {
                if (peer.isPresent() && isAmong(proofs, Keys.proof(one, "listener", mine, theirs))) {
                    key = Optional.of(one);
                    return Optional.of(Keys.proof(one, "dialler", mine, theirs));
                }
            }
            return Optional.empty();
        } catch (IOException tooShort) {
            return Optional.empty();
        }
    }

    private static boolean isAmong(byte[] proofs, byte[] proof) {
        boolean found = false;
        for (int at = 0; at + PROOF <= proofs.length; at += PROOF) {
            found |= MessageDigest.isEqual(Arrays.copyOfRange(proofs, at, at + PROOF), proof);
        }
        return found;
    }

    /** The listener hears the proof of who dialled. It says nothing more. */
    private Optional<byte[]> proved(byte[] said) {
        for (byte[] one : keys.now()) {
            if (MessageDigest.isEqual(said, Keys.proof(one, "dialler", theirs, mine))) {
                key = Optional.of(one);
                return Optional.of(new byte[0]);
            }
        }
        return Optional.empty();
    }

    boolean isDone() {
        return key.isPresent();
    }

    /** Who is at the other end; once it is done. */
    Peer peer() {
        return peer.orElseThrow();
    }

    Seal sending() {
        return seal(dials);
    }

    Seal receiving() {
        return seal(!dials);
    }

    private Seal seal(boolean ofTheDialler) {
        byte[] dialler = dials ? mine : theirs;
        byte[] listener = dials ? theirs : mine;
        return new Seal(
                Keys.proof(key.orElseThrow(), ofTheDialler ? "from dialler" : "from listener", dialler, listener));
    }

    private static Optional<Peer> peerOf(byte[] greeting) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(greeting))) {
            if (!in.readUTF().equals(MAGIC)) {
                return Optional.empty();
            }
            Peer peer = new Peer(new CandidateId(in.readUTF()), in.readUTF());
            return in.readAllBytes().length == NONCE ? Optional.of(peer) : Optional.empty();
        } catch (IOException | IllegalArgumentException none) {
            return Optional.empty();
        }
    }
}
