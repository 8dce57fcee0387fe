package dev.incumbent.servers;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Dynoxide, an emulator of DynamoDB, as a process of its own on a port of 127.0.0.1, its tables in a folder. {@code scripts/install-servers} obtains it. It asks for
 * credentials, and takes any; {@link #CREDENTIALS} are some. Not thread-safe.
 */
public final class DynamoDbServer implements AutoCloseable {
    /** As the variables of a client's environment; the names of the system's properties are {@code aws.accessKeyId} and {@code aws.secretAccessKey}. */
    public static final Map<String, String> CREDENTIALS =
            Map.of("AWS_ACCESS_KEY_ID", "local", "AWS_SECRET_ACCESS_KEY", "local");

    private static final String REGION = "us-east-1";
    private static final int PATIENCE_MILLIS = 2_000;

    private final TemporaryFolder folder;
    private final ServerProcess process;
    private final int port;

    private DynamoDbServer(TemporaryFolder folder, int port) {
        this.folder = folder;
        this.port = port;
        process = ServerProcess.start("dynoxide", command(), Map.of(), folder.path(), this::answers);
    }

    public static DynamoDbServer start() {
        return startIn(folder());
    }

    /** One that keeps all in that folder, which goes with it. */
    public static DynamoDbServer startIn(TemporaryFolder folder) {
        folder.makeFolder("data");
        return new DynamoDbServer(folder, FreePorts.one());
    }

    /** Starts one on a copy of another's data. */
    public static DynamoDbServer startOn(Path data) {
        TemporaryFolder folder = folder();
        TemporaryFolder.copy(data, folder.resolve("data"));
        return new DynamoDbServer(folder, FreePorts.one());
    }

    /** It syncs each write by itself, one after the other, which on a disk takes longer than all else. These tests do not cut the power. */
    private static TemporaryFolder folder() {
        return TemporaryFolder.createInMemory("dynamodb");
    }

    private List<String> command() {
        return List.of(
                program().toString(),
                "serve",
                "--host",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--db-path",
                folder.resolve("data/tables.db").toString());
    }

    private static Path program() {
        Path program = Programs.cached("dynoxide");
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException(program + " is missing: scripts/install-servers obtains it");
        }
        return program;
    }

    /** Does it answer a request? It looks at its store only when it is asked for tables, and answers only who tells a date. */
    private boolean answers() throws IOException {
        HttpURLConnection asked =
                (HttpURLConnection) URI.create(endpoint()).toURL().openConnection();
        asked.setConnectTimeout(PATIENCE_MILLIS);
        asked.setReadTimeout(PATIENCE_MILLIS);
        asked.setDoOutput(true);
        asked.setRequestProperty("Content-Type", "application/x-amz-json-1.0");
        asked.setRequestProperty("X-Amz-Target", "DynamoDB_20120810.ListTables");
        asked.setRequestProperty(
                "Authorization",
                "AWS4-HMAC-SHA256 Credential=local/20260101/" + REGION
                        + "/dynamodb/aws4_request, SignedHeaders=host, Signature=none");
        asked.setRequestProperty("X-Amz-Date", "20260101T000000Z");
        try {
            asked.getOutputStream().write("{}".getBytes(StandardCharsets.UTF_8));
            return asked.getResponseCode() == 200;
        } finally {
            asked.disconnect();
        }
    }

    public int port() {
        return port;
    }

    private String endpoint() {
        return "http://127.0.0.1:" + port;
    }

    /** What {@code --at} and {@code --sink} take. */
    public String uri(String table) {
        return uri(table, port);
    }

    /** The same by way of another port, such as a wire's. */
    public static String uri(String table, int port) {
        return "dynamodb://" + table + "?region=" + REGION + "&endpoint=http://127.0.0.1:" + port;
    }

    /** Lets clients in this JVM find credentials, by the system's properties. */
    public static void provideCredentials() {
        System.setProperty("aws.accessKeyId", "local");
        System.setProperty("aws.secretAccessKey", "local");
    }

    /** Copies its data as it is at this instant; it stands still meanwhile. */
    public void copyDataTo(Path target) {
        process.freeze();
        try {
            TemporaryFolder.copy(folder.resolve("data"), target);
        } finally {
            process.thaw();
        }
    }

    /** Stops it where it stands: it holds its connections and does not answer. */
    public void freeze() {
        process.freeze();
    }

    public void thaw() {
        process.thaw();
    }

    public void kill() {
        process.kill();
    }

    /** Starts it again on its data, and waits until it answers. It must have ended. */
    public void startAgain() {
        process.startAgain();
    }

    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
