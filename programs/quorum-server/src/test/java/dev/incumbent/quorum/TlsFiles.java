package dev.incumbent.quorum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An authority made for one test, and the certificates that it signs. */
final class TlsFiles {
    private final Path folder;
    private final String authority;

    TlsFiles(Path folder, String authority) {
        this.folder = folder;
        this.authority = authority;
        openssl(authority, List.of("-addext", "keyUsage=critical,keyCertSign"));
    }

    Path authority() {
        return folder.resolve(authority + ".pem");
    }

    /** Signed for that, as {@code IP:127.0.0.1}. */
    Certificates certificate(String name, String subject) {
        openssl(
                name,
                List.of(
                        "-CA",
                        authority().toString(),
                        "-CAkey",
                        folder.resolve(authority + ".key").toString(),
                        "-addext",
                        "basicConstraints=critical,CA:FALSE",
                        "-addext",
                        "subjectAltName=" + subject));
        return new Certificates(folder.resolve(name + ".pem"), folder.resolve(name + ".key"), authority());
    }

    private void openssl(String name, List<String> more) {
        List<String> line = new ArrayList<>(List.of("openssl", "req", "-x509", "-days", "2", "-newkey", "ec"));
        line.addAll(List.of("-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=" + name));
        line.addAll(List.of("-keyout", name + ".key", "-out", name + ".pem"));
        line.addAll(more);
        try {
            Process made = new ProcessBuilder(line)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(made.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (made.waitFor() != 0) {
                throw new IllegalStateException(said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
