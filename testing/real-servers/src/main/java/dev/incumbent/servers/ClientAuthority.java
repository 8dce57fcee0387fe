package dev.incumbent.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Signs certificates of clients, for one test: such as run out within seconds, too. Not thread-safe. */
public final class ClientAuthority implements AutoCloseable {
    private final TemporaryFolder folder = TemporaryFolder.create("authority");
    private int signed;

    private ClientAuthority() {
        List<String> line = new ArrayList<>(List.of("openssl", "req", "-x509", "-days", "2", "-subj", "/CN=authority"));
        line.addAll(Kind.EC.key(folder.resolve("ca.key")));
        line.addAll(List.of("-out", certificate().toString()));
        run(line);
        Path unused = folder.write("index", "");
        Path unusedSettings = folder.write(
                "settings",
                String.join(
                        "\n",
                        "[ca]",
                        "default_ca = here",
                        "[here]",
                        "database = " + folder.resolve("index"),
                        "new_certs_dir = " + folder.path(),
                        "default_md = sha256",
                        "rand_serial = yes",
                        "unique_subject = no",
                        "policy = any",
                        "[any]",
                        "organizationName = optional",
                        "commonName = supplied",
                        ""));
    }

    public static ClientAuthority create() {
        return new ClientAuthority();
    }

    /** A kind of key, and how its file is written. */
    public enum Kind {
        RSA,
        RSA_PKCS_1,
        EC,
        EC_SEC_1;

        private List<String> key(Path file) {
            List<String> line = new ArrayList<>(List.of("-nodes", "-keyout", file.toString(), "-newkey"));
            line.addAll(
                    this == RSA || this == RSA_PKCS_1
                            ? List.of("rsa:2048")
                            : List.of("ec", "-pkeyopt", "ec_paramgen_curve:P-256"));
            return line;
        }
    }

    /** A certificate and its key, as PEM. */
    public record Signed(Path certificate, Path key) {}

    /** Itself: who trusts it trusts what it signed. */
    public Path certificate() {
        return folder.resolve("ca.crt");
    }

    /** Signs one for a subject such as {@code /O=group/CN=user}, which counts from now for that long. */
    public Signed sign(String subject, Duration life) {
        return sign(subject, life, Kind.RSA);
    }

    public Signed sign(String subject, Duration life, Kind kind) {
        signed++;
        Signed made = new Signed(folder.resolve(signed + ".crt"), folder.resolve(signed + ".key"));
        Path request = folder.resolve(signed + ".csr");
        List<String> asks = new ArrayList<>(List.of("openssl", "req", "-new", "-subj", subject));
        asks.addAll(kind.key(made.key()));
        asks.addAll(List.of("-out", request.toString()));
        run(asks);
        if (kind == Kind.RSA_PKCS_1) {
            rewrite(List.of("openssl", "rsa", "-traditional"), made.key());
        }
        if (kind == Kind.EC_SEC_1) {
            rewrite(List.of("openssl", "ec"), made.key());
        }
        run(List.of(
                "sh",
                "-c",
                "exec openssl ca -batch -notext -config \"$1\" -cert \"$2\" -keyfile \"$3\" -in \"$4\""
                        + " -out \"$5\" -startdate 20000101000000Z"
                        + " -enddate \"$(date -u -d \"+$6 seconds\" +%Y%m%d%H%M%SZ)\"",
                "sh",
                folder.resolve("settings").toString(),
                certificate().toString(),
                folder.resolve("ca.key").toString(),
                request.toString(),
                made.certificate().toString(),
                Long.toString(life.toSeconds())));
        return made;
    }

    private static void rewrite(List<String> by, Path key) {
        List<String> line = new ArrayList<>(by);
        line.addAll(List.of("-in", key.toString(), "-out", key.toString()));
        run(line);
    }

    private static void run(List<String> line) {
        String unused = Command.run(line, Map.of());
    }

    @Override
    public void close() {
        folder.close();
    }
}
