package dev.incumbent.beats.netty;

import dev.incumbent.wire.TokenFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys that all processes of some elections share, and what they prove with them: HMAC with SHA-256. While a key is replaced there are two; whoever dials takes one that both know. Thread-safe.
 */
final class Keys {
    /** Where nothing is secret. */
    private static final List<byte[]> NONE = List.of(new byte[1]);

    private static final String HMAC = "HmacSHA256";
    private static final int SHORTEST = 16;

    private final Optional<TokenFile> file;
    private final AtomicBoolean isReading = new AtomicBoolean();
    private volatile List<byte[]> read;

    private Keys(Optional<TokenFile> file, List<byte[]> read) {
        this.file = file;
        this.read = read;
    }

    static Keys none() {
        return new Keys(Optional.empty(), NONE);
    }

    /** One key or two, one a line, read again when the file changes. Fails where it cannot be read, or holds none, more or a short one. */
    static Keys in(Path file) throws IOException {
        TokenFile keys = TokenFile.of(file.toString(), file);
        List<byte[]> all = keys(keys);
        if (all.stream().anyMatch(key -> key.length < SHORTEST)) {
            throw new IllegalArgumentException("a key in " + file + " is shorter than " + SHORTEST + " characters");
        }
        return new Keys(Optional.of(keys), all);
    }

    private static List<byte[]> keys(TokenFile file) {
        return file.now().stream()
                .map(key -> key.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    /** Those that were read last; the first is the one to use. The file is looked at beside that, on a thread of its own: one that cannot be reached delays no beat. */
    List<byte[]> now() {
        if (file.isPresent() && isReading.compareAndSet(false, true)) {
            Thread thread = new Thread(() -> readAgain(file.get()), "incumbent-beats-keys");
            thread.setDaemon(true);
            thread.start();
        }
        return read;
    }

    /** A file whose keys became too short keeps those before. */
    private void readAgain(TokenFile from) {
        try {
            List<byte[]> next = keys(from);
            if (next.stream().allMatch(key -> key.length >= SHORTEST)) {
                read = next;
            }
        } finally {
            isReading.set(false);
        }
    }

    /** What only who knows that key can say of these parts. */
    static byte[] proof(byte[] key, String what, byte[]... parts) {
        Mac mac = mac(key);
        mac.update(what.getBytes(StandardCharsets.UTF_8));
        for (byte[] part : parts) {
            mac.update((byte) (part.length >>> 8));
            mac.update((byte) part.length);
            mac.update(part);
        }
        return mac.doFinal();
    }

    static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(Arrays.copyOf(key, key.length), HMAC));
            return mac;
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
