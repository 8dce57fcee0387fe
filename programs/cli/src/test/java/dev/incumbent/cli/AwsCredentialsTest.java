package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which credentials the command line finds, on its own class path: in a JVM of its own each, and before servers on loopback that note what they are asked. */
class AwsCredentialsTest {
    private static final String CREDENTIALS = """
            <%1$sResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><%1$sResult><Credentials>
              <AccessKeyId>ROLEKEY</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>
              <Expiration>2199-01-01T00:00:00Z</Expiration>
            </Credentials></%1$sResult></%1$sResponse>
            """;

    @TempDir
    private Path folder;

    private final List<String> signatures = new CopyOnWriteArrayList<>();
    private final List<String> askedOfSts = new CopyOnWriteArrayList<>();
    private final HttpServer table;
    private final HttpServer sts;

    AwsCredentialsTest() throws IOException {
        table = server(this::noTable);
        sts = server(this::role);
    }

    private interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private static HttpServer server(Answer answer) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", answer::to);
        server.start();
        return server;
    }

    @BeforeEach
    void configure() throws IOException {
        Files.writeString(folder.resolve("token"), "pod-token");
        Files.writeString(folder.resolve("config"), """
                [profile base]
                aws_access_key_id = BASEKEY
                aws_secret_access_key = s
                [profile role]
                role_arn = arn:aws:iam::123456789012:role/closer
                source_profile = base
                region = eu-west-1
                [profile single]
                sso_session = office
                sso_account_id = 123456789012
                sso_role_name = closer
                region = eu-west-1
                [sso-session office]
                sso_region = eu-west-1
                sso_start_url = http://127.0.0.1:1/start
                """);
    }

    @AfterEach
    void close() {
        table.stop(0);
        sts.stop(0);
    }

    @Test
    void aWebIdentityIsShownToSts() throws Exception {
        String said = status(
                "",
                Map.of(
                        "AWS_WEB_IDENTITY_TOKEN_FILE",
                        folder.resolve("token").toString(),
                        "AWS_ROLE_ARN",
                        "arn:aws:iam::123456789012:role/closer"));

        assertThat(said).contains("has no table offices");
        assertThat(askedOfSts).isNotEmpty().allMatch(asked -> asked.contains("WebIdentityToken=pod-token"));
        assertThat(signatures).isNotEmpty().allMatch(it -> it.contains("Credential=ROLEKEY/"));
    }

    @Test
    void aProfileThatAssumesARoleIsFollowed() throws Exception {
        String said = status("&profile=role", Map.of());

        assertThat(said).contains("has no table offices");
        assertThat(askedOfSts).isNotEmpty().allMatch(asked -> asked.contains("Action=AssumeRole&"));
        assertThat(signatures).isNotEmpty().allMatch(it -> it.contains("Credential=ROLEKEY/"));
    }

    /** Whoever has not logged in lacks the token, and not a module of the SDK. */
    @Test
    void aProfileOfSingleSignOnLacksItsLoginOnly() throws Exception {
        String said = status("&profile=single", Map.of());

        assertThat(said)
                .contains("no AWS credentials are found for DynamoDB in")
                .contains("in the profile single: the profile: ")
                .containsIgnoringCase("token")
                .doesNotContain("class path")
                .doesNotContain("CredentialsProvider");
    }

    @Test
    void aTokenFileThatIsMissingIsNamed() throws Exception {
        String said = status(
                "",
                Map.of(
                        "AWS_WEB_IDENTITY_TOKEN_FILE",
                        folder.resolve("nowhere").toString(),
                        "AWS_ROLE_ARN",
                        "arn:aws:iam::123456789012:role/closer"));

        assertThat(said)
                .contains("no AWS credentials are found for DynamoDB in")
                .contains(": the web identity: ")
                .contains(folder.resolve("nowhere").toString());
        assertThat(said.strip().lines()).hasSize(1);
    }

    /** What {@code incumbent status} says on standard error. */
    private String status(String parameters, Map<String, String> environment) throws IOException, InterruptedException {
        Path error = folder.resolve("error");
        String uri = "dynamodb://offices?region=eu-west-1&endpoint=" + url(table) + parameters;
        ProcessBuilder builder = CommandLineProcess.of("status", "--at", uri)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(error.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
        builder.environment().put("AWS_CONFIG_FILE", folder.resolve("config").toString());
        builder.environment()
                .put("AWS_SHARED_CREDENTIALS_FILE", folder.resolve("none").toString());
        builder.environment().put("AWS_EC2_METADATA_DISABLED", "true");
        builder.environment().put("AWS_REGION", "eu-west-1");
        builder.environment().put("AWS_ENDPOINT_URL_STS", url(sts));
        builder.environment().putAll(environment);
        assertThat(builder.start().waitFor()).isNotZero();
        return Files.readString(error);
    }

    private static String url(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void noTable(HttpExchange exchange) throws IOException {
        signatures.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        answer(
                exchange,
                400,
                "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException\",\"message\":\"none\"}");
    }

    private void role(HttpExchange exchange) throws IOException {
        String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        askedOfSts.add(asked);
        String action = asked.contains("Action=AssumeRoleWithWebIdentity") ? "AssumeRoleWithWebIdentity" : "AssumeRole";
        answer(exchange, 200, CREDENTIALS.formatted(action));
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
