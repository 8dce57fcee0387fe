package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.cli.frame.CommandRun.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code incumbent server} refuses before it takes part: one sentence each. That it runs is shown by scripts/test-launcher, with real processes. */
class ServerVerbTest {
    private static final Pattern WORD_OF_THE_STATEFUL_SET = Pattern.compile("(?m)^ {12}- (server|--.*)$");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 6, 8})
    void whatIsNoQuorumIsRefused(int size) {
        CommandRun run = server(members(size));

        assertRefused(run, 64, "a quorum has three nodes or five, and --member names " + size);
    }

    @Test
    void moreThanSevenAreWarnedAbout() throws IOException {
        Files.writeString(folder.resolve("thesis.txt"), "someone else's folder, so that this ends");

        CommandRun nine = server(members(9));
        CommandRun seven = server(members(7));

        assertThat(nine.err()).contains("a quorum of 9 nodes: each more makes every write slower");
        assertThat(nine.code()).isEqualTo(78);
        assertThat(seven.err()).doesNotContain("slower");
    }

    @Test
    void membersThatAreNoneAreNamed() {
        assertRefused(server(List.of("n1=h1")), 64, "'n1=h1' is no member; write NAME=HOST:PORT");
        assertRefused(server(List.of("n1=h1:1", "n1=h2:1", "n3=h3:1")), 64, "--member names n1 twice");
        assertRefused(server(List.of("n4=h1:1", "n2=h2:1", "n3=h3:1")), 64, "--name n1 is none of the members");
        assertRefused(server(List.of("n1=h1:70000", "n2=h2:1", "n3=h3:1")), 64, "legal are 1 to 65535");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertRefused(ran("server", "--data", folder.toString()), 64, "--name is missing");
        assertRefused(ran("server", "--name", "n1"), 64, "--data is missing");
        assertRefused(ran("server", "--name", "n1", "--data", folder.toString()), 64, "--member is missing");
        assertRefused(server(members(3), "--join", "--rejoin"), 64, "give one of them");
    }

    @Test
    void theNodesOfAQuorumAloneHaveMembers() {
        for (String verb : List.of("members", "change")) {
            assertRefused(ran("server", verb), 64, "--at");
        }
        assertRefused(
                ran("server", "members", "--at", "etcd://u:secret@h1:2379"),
                78,
                "--at etcd://***@h1:2379 is no quorum");
        assertRefused(
                ran("server", "members", "--at", "quorum://127.0.0.1:1"),
                69,
                "no node of quorum://127.0.0.1:1 could answer");
    }

    @Test
    void aListThatIsNoQuorumIsRefusedBeforeAnyNodeIsAsked() {
        List<String> line = new ArrayList<>(List.of("server", "change", "--at", "quorum://127.0.0.1:1"));
        assertRefused(ran(line.toArray(String[]::new)), 64, "--member is missing");
        members(4).forEach(member -> line.addAll(List.of("--member", member)));
        assertRefused(ran(line.toArray(String[]::new)), 64, "a quorum has three nodes or five, and --member names 4");
    }

    @Test
    void aFolderThatIsNoNodesIsRefusedAndLeftAlone() throws IOException {
        Path theirs = Files.writeString(folder.resolve("thesis.txt"), "forty years of work");

        assertRefused(server(members(3)), 78, "is not empty and bears no marker");
        assertThat(Files.readString(theirs)).isEqualTo("forty years of work");
    }

    @Test
    void aTokensFileThatHoldsNoneIsRefused() throws IOException {
        Path empty = Files.createFile(folder.resolve("token"));

        assertRefused(server(members(3), "--token-file", empty.toString()), 78, "token is empty");
        assertRefused(server(members(3), "--token-file", "/nowhere/token"), 78, "/nowhere/token cannot be read");
    }

    @Test
    void theFileOfEachRoleIsNamedWhereItHoldsNoToken() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), "sesame");
        Path control = Files.writeString(folder.resolve("control"), "open\u0007sesame");

        for (String role : List.of("operator", "candidate", "reader")) {
            String flag = "--" + role + "-token-file";
            String[] flags = {"--node-token-file", token.toString(), flag, "/nowhere/token"};
            assertRefused(server(members(3), flags), 78, "the file of " + flag + " /nowhere/token cannot be read");
        }
        CommandRun run = server(members(3), "--node-token-file", control.toString());
        assertRefused(run, 78, "the file of --node-token-file " + control);
        assertThat(run.err()).doesNotContain("sesame");
    }

    @Test
    void tokensWithoutOneForTheNodesAreRefused() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), "sesame");

        assertRefused(
                server(members(3), "--candidate-token-file", token.toString()),
                64,
                "with tokens the nodes need one for each other: add --node-token-file, or --token-file for all roles");
    }

    @Test
    void certificatesComeAllThreeOrNotAtAll() {
        CommandRun run = server(members(3), "--tls-cert", "n1.pem");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("--tls-key", "--tls-ca");
    }

    /** A node that is not refused would run until it is told to end. */
    @Timeout(60)
    @Test
    void beyondThisMachineANodeNeedsCertificatesOrTheWordThatItDoesNot() {
        List<String> far = List.of("n1=127.0.0.1:7402", "n2=192.0.2.1:7404", "n3=127.0.0.1:7406");
        List<String> unknown = List.of("n1=no-such-host.invalid:7402", "n2=127.0.0.1:7404", "n3=127.0.0.1:7406");

        assertRefused(
                server(far),
                78,
                "node n1 would speak without TLS with n2=192.0.2.1:7404/7405, where whoever reaches the nodes' port may"
                        + " take a node's place; give --tls-cert, --tls-key and --tls-ca, or --insecure");
        assertRefused(server(unknown), 78, "would speak without TLS with n1=no-such-host.invalid:7402/7403");
        assertRefused(server(far, "--insecure", "--token-file", "/nowhere/token"), 78, "/nowhere/token cannot be read");
        assertRefused(
                server(far, "--tls-cert", "/no/c.pem", "--tls-key", "/no/k.pem", "--tls-ca", "/no/a.pem"),
                78,
                "/no/c.pem");
    }

    @Test
    void certificatesThatCannotBeReadAreNamed() {
        CommandRun run =
                server(members(3), "--tls-cert", "/no/c.pem", "--tls-key", "/no/k.pem", "--tls-ca", "/no/a.pem");

        assertRefused(run, 78, "/no/c.pem");
    }

    @Test
    void aPortThatIsTakenIsOneSentence() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<String> members = members(3);
            members.set(0, "n1=127.0.0.1:" + taken.getLocalPort());

            assertRefused(server(members), 78, "node n1 cannot listen as --member says");
        }
    }

    /** Its words are read, and then it is ended by the first file that is not here. */
    @Test
    void theVerbTakesTheWordsOfTheStatefulSet() throws IOException {
        Path path = Path.of("examples", "quorum", "statefulset.yaml");
        String manifest =
                Files.readString(Files.exists(path) ? path : Path.of("..", "..").resolve(path));
        String[] line = WORD_OF_THE_STATEFUL_SET
                .matcher(manifest)
                .results()
                .map(word -> word.group(1).replace("$(POD_NAME)", "quorum-1"))
                .toArray(String[]::new);

        assertThat(line).startsWith("server", "--name=quorum-1").hasSize(13);
        assertRefused(ran(line), 78, "the file of --node-token-file /etc/incumbent/tokens/node.token cannot be read");
    }

    private static void assertRefused(CommandRun run, int code, String why) {
        assertThat(run.err()).contains(why).hasLineCount(1);
        assertThat(run.code()).isEqualTo(code);
        assertThat(run.out()).isEmpty();
    }

    private static List<String> members(int count) {
        List<String> all = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            all.add("n" + i + "=127.0.0.1:" + (7400 + 2 * i));
        }
        return all;
    }

    private CommandRun server(List<String> members, String... flags) {
        List<String> line = new ArrayList<>(List.of("server", "--name", "n1", "--data", folder.toString()));
        members.forEach(member -> line.addAll(List.of("--member", member)));
        line.addAll(List.of(flags));
        return ran(line.toArray(String[]::new));
    }

    private static CommandRun ran(String... line) {
        return CommandRun.of(new Incumbent(), new Verbs(), Map.of(), World.empty(), line);
    }
}
