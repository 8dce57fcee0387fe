package dev.incumbent.servers;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A certificate that signs itself, for one test, and its key. Nobody trusts it who is not given its file. */
public final class ServerCertificate implements AutoCloseable {
    private final TemporaryFolder folder;

    private ServerCertificate(TemporaryFolder folder, String name) {
        this.folder = folder;
        Command.run(
                List.of(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "rsa:2048",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=server",
                        "-addext",
                        "subjectAltName=" + name,
                        "-keyout",
                        key().toString(),
                        "-out",
                        file().toString()),
                Map.of());
    }

    /** Makes one for the address that servers have here. */
    public static ServerCertificate create() {
        return naming("IP:127.0.0.1");
    }

    /** Makes one for that, as {@code DNS:localhost}. */
    public static ServerCertificate naming(String name) {
        return new ServerCertificate(TemporaryFolder.create("certificate"), name);
    }

    /** Itself, and the authority to trust. */
    public Path file() {
        return folder.resolve("cert.pem");
    }

    /** In PKCS 8. */
    public Path key() {
        return folder.resolve("key.pem");
    }

    /** Lets servers read both that run as another user. */
    public void letInAll() {
        Command.run(List.of("chmod", "755", folder.path().toString()), Map.of());
        Command.run(List.of("chmod", "644", key().toString()), Map.of());
    }

    @Override
    public void close() {
        folder.close();
    }
}
