package dev.incumbent.fence.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** What runs inside the server, in one step; the server knows it by the SHA-1 of its text once it has run there. */
enum RedisScript {
    ADMIT,
    RAISE,
    MARKS,
    INSTALL;

    private final String text;
    private final String sha1;

    RedisScript() {
        String file = name().toLowerCase(Locale.ROOT) + ".lua";
        try (InputStream in = RedisScript.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the script " + file + " is missing from this program");
            }
            byte[] bytes = in.readAllBytes();
            text = new String(bytes, StandardCharsets.UTF_8);
            sha1 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    String text() {
        return text;
    }

    String sha1() {
        return sha1;
    }
}
