package dev.incumbent.cli.server;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.quorum.Certificates;
import dev.incumbent.quorum.Member;
import dev.incumbent.quorum.NodeRefusal;
import dev.incumbent.quorum.NodeSettings;
import dev.incumbent.quorum.NodeSettings.Coming;
import dev.incumbent.quorum.QuorumNode;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code server}: one node of the quorum, until it is told to end. */
@Command(
        name = "server",
        customSynopsis = {
            "incumbent server --name NAME --data DIR --member NAME=HOST:PORT... [OPTION]...",
            "       incumbent server VERB ..."
        },
        description = {
            "Runs one node of the quorum coordinator, quorum://, until it is interrupted.",
            "A quorum has three nodes or five; each is told of all of them."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent server --name n1 --data /var/lib/incumbent/quorum \\",
            "      --node-token-file node.token --operator-token-file operator.token \\",
            "      --candidate-token-file candidate.token --reader-token-file reader.token \\",
            "      --tls-cert n1.pem --tls-key n1.key --tls-ca ca.pem \\",
            "      --member n1=h1:7400 --member n2=h2:7400 --member n3=h3:7400"
        })
public final class Server implements Verb {
    // picocli would ask the verbs below this one for what is required here.
    @Option(names = "--name", paramLabel = "NAME", description = "Which of the members this node is; required.")
    private String name = "";

    @Mixin
    private MemberList members = new MemberList();

    @Option(names = "--data", paramLabel = "DIR", description = "Where it keeps its log and its marker; required.")
    private Path data = Path.of("");

    @Mixin
    private TokenFiles tokenFiles = new TokenFiles();

    @ArgGroup(exclusive = false, heading = "TLS, for clients and between the nodes; all three of them or none:%n")
    private @Nullable Tls tls;

    /** PEM files. */
    private static final class Tls {
        @Option(
                names = "--tls-cert",
                paramLabel = "FILE",
                required = true,
                description = "This node's certificate and what signed it (PEM), for the host that its member names.")
        private Path chain = Path.of("");

        @Option(
                names = "--tls-key",
                paramLabel = "FILE",
                required = true,
                description = "Its private key (PEM, PKCS#8, not encrypted).")
        private Path key = Path.of("");

        @Option(
                names = "--tls-ca",
                paramLabel = "FILE",
                required = true,
                description = "Who signs the nodes' certificates (PEM); nobody else is believed.")
        private Path authorities = Path.of("");

        Certificates files() {
            return new Certificates(chain, key, authorities);
        }
    }

    @Option(
            names = "--insecure",
            description = {
                "Listens without TLS also beyond this machine, where whoever reaches the nodes' port",
                "may take a node's place. Only where a network of their own keeps everybody else away."
            })
    private boolean insecure;

    @Option(
            names = "--rejoin",
            description =
                    "Comes back with an empty disk, as a new voter in the place of its last one. What lies in DIR is set aside.")
    private boolean rejoin;

    @Option(
            names = "--join",
            description = {
                "Waits with an empty disk until 'server change' makes this node a member.",
                "A node that is one starts as without this flag."
            })
    private boolean join;

    @Option(
            names = "--election-timeout",
            paramLabel = "DUR",
            description = {
                "After so long without a word from the leader, up to twice that, another is elected;",
                "150ms unless said: longer between distant places."
            })
    private Duration electionTimeout = NodeSettings.ELECTION_TIMEOUT;

    @Option(
            names = "--snapshot-every",
            paramLabel = "N",
            description = "After so many entries the log is cut; " + NodeSettings.SNAPSHOT_EVERY + " unless said.")
    private long snapshotEvery = NodeSettings.SNAPSHOT_EVERY;

    @Override
    public int run(Surroundings around) throws InterruptedException {
        requireNameAndFolder();
        List<Member> checked = checkedMembers(around);
        refusePlainBeyondThisMachine(checked);
        NodeSettings settings = new NodeSettings(
                checked,
                name,
                data.toAbsolutePath(),
                tokenFiles.tokens(),
                Optional.ofNullable(tls).map(Tls::files),
                coming(),
                electionTimeout,
                snapshotEvery);
        try (QuorumNode node = QuorumNode.start(settings, around::say)) {
            around.say("node " + name + " takes part in the quorum of "
                    + settings.members().size());
            CountDownLatch told = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node, told), "incumbent-end"));
            Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
                failure.printStackTrace(around.err());
                node.fails(thread, failure);
            });
            Optional<QuorumNode.End> end = node.awaitEnd();
            if (end.isPresent()) {
                throw new Refusal(exitCode(end.get().cause()), end.get().why());
            }
            told.await();
            return ExitCodes.DONE;
        } catch (NodeRefusal refused) {
            String why = String.valueOf(refused.getMessage());
            throw refused.isOfTheDisk() ? new Refusal(ExitCodes.DISK, why) : Refusal.configuration(why);
        } catch (BindException taken) {
            throw Refusal.configuration("node " + name + " cannot listen as --member says: " + taken.getMessage());
        } catch (IOException e) {
            throw Refusal.configuration("node " + name + " cannot work in " + data + ": " + e);
        }
    }

    private static int exitCode(QuorumNode.Cause cause) {
        return switch (cause) {
            case LEFT_OUT -> ExitCodes.DONE;
            case DISK -> ExitCodes.DISK;
            case FAULT -> ExitCodes.INTERNAL;
        };
    }

    private NodeSettings.Coming coming() {
        if (join && rejoin) {
            throw Refusal.usage(
                    "--join is for a node that is no member yet, and --rejoin for a member whose disk is gone;"
                            + " give one of them");
        }
        return rejoin ? Coming.REJOINING : join ? Coming.JOINING : Coming.AS_IT_IS;
    }

    private static void close(QuorumNode node, CountDownLatch told) {
        try {
            node.close();
        } catch (IOException e) {
            // It ends in any case, and what it acknowledged is on its disk.
        }
        told.countDown();
    }

    private void requireNameAndFolder() {
        if (name.isEmpty() || data.toString().isEmpty()) {
            throw Refusal.usage((name.isEmpty() ? "--name" : "--data")
                    + " is missing: a node is started with --name, --data and a --member for each node;"
                    + " see 'incumbent server --help'");
        }
    }

    private List<Member> checkedMembers(Surroundings around) {
        List<Member> all = members.checked(around);
        if (all.stream().noneMatch(member -> member.name().equals(name))) {
            throw Refusal.usage("--name " + name + " is none of the members "
                    + all.stream().map(Member::name).toList());
        }
        return all;
    }

    /** The nodes' own protocol knows no token: without certificates any peer may vote, and change the members. */
    private void refusePlainBeyondThisMachine(List<Member> all) {
        if (tls != null || insecure) {
            return;
        }
        all.stream().filter(member -> !isLoopback(member.host())).findFirst().ifPresent(far -> {
            throw Refusal.configuration("node " + name + " would speak without TLS with " + far
                    + ", where whoever reaches the nodes' port may take a node's place; give --tls-cert, --tls-key"
                    + " and --tls-ca, or --insecure if nobody else reaches it");
        });
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
