package dev.incumbent.acceptance;

import dev.incumbent.servers.EtcdServer;
import dev.incumbent.servers.Namespaces;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.SystemTimeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Four candidates, each in a network namespace of its own, hear each other over a network that is cut in one direction or both, or that loses packets, while all of them reach the coordinator (an etcd) and the sink (a PostgreSQL). A fault costs one term at the most, and no
 * stale write is accepted. A line a claim; the last is {@code N passed, N failed}.
 */
public final class BeatsTrial {
    private static final String NAME = "beats/trial";
    private static final int CANDIDATES = 4;
    private static final long LEASE_MILLIS = 15_000;
    private static final int LOST_OF_HUNDRED = 30;
    private static final Duration FAULT = Duration.ofSeconds(6);
    private static final Duration CALM = Duration.ofSeconds(4);
    private static final Duration FOR_A_TERM = Duration.ofSeconds(60);

    private final SystemTimeline time = new SystemTimeline();
    private final Namespaces network;
    private final List<Process> writers = new ArrayList<>();
    /** Of each term whose leader has written, which candidate that is. */
    private final NavigableMap<Long, Integer> terms = new ConcurrentSkipListMap<>();

    private BeatsTrial(Namespaces network) {
        this.network = network;
    }

    public static void main(String[] arguments) throws Exception {
        boolean holds;
        try (TemporaryFolder folder = TemporaryFolder.create("beats-trial");
                Namespaces network = Namespaces.open(CANDIDATES);
                EtcdServer etcd = EtcdServer.start();
                PostgresServer postgres = PostgresServer.start()) {
            holds = Trials.hold(Map.of("beats", attempt -> new BeatsTrial(network).run(folder, etcd, postgres)));
        } catch (Namespaces.Forbidden forbidden) {
            System.err.println("beats-trial: " + forbidden.getMessage());
            System.exit(78);
            return;
        }
        System.exit(holds ? 0 : 1);
    }

    private List<Claim> run(TemporaryFolder folder, EtcdServer etcd, PostgresServer postgres) throws Exception {
        InetAddress host = InetAddress.getByName(network.host());
        InetAddress loopback = InetAddress.getLoopbackAddress();
        Ledger ledger = Ledger.create(postgres.jdbcUrl(), HeardWriter.election(NAME, 0), FastFailover.TABLE);
        try (TcpProxy toEtcd = TcpProxy.at(host, new InetSocketAddress(loopback, etcd.port()));
                TcpProxy toLedger = TcpProxy.at(host, new InetSocketAddress(loopback, postgres.port()))) {
            String uri = "etcd://" + network.host() + ":" + toEtcd.port() + "/trial";
            String url = PostgresServer.jdbcUrl(toLedger.port()).replace("127.0.0.1", network.host());
            for (int i = 0; i < CANDIDATES; i++) {
                start(i, folder, uri + "\n" + url + "\n");
            }
            awaitTerm();
            List<Claim> claims = new ArrayList<>();
            for (Map.Entry<String, Fault> one : faults().entrySet()) {
                claims.add(after(one.getKey(), one.getValue()));
            }
            claims.add(Claim.of(
                    "rows bear growing tokens",
                    ledger.audit().late() == 0,
                    ledger.audit().toString()));
            claims.add(Claim.of("whoever led wrote", ledger.audit().rows() > 0, "no row"));
            return claims;
        } finally {
            writers.forEach(Process::destroyForcibly);
        }
    }

    /** What befalls whoever leads. */
    private record Fault(int least, int most, IntConsumer happens) {}

    private Map<String, Fault> faults() {
        Map<String, Fault> faults = new LinkedHashMap<>();
        faults.put(
                "one candidate does not hear the leader", new Fault(0, 0, leader -> network.cut(leader, next(leader))));
        faults.put(
                "one candidate is cut off from all others",
                new Fault(0, 0, leader -> others(next(leader)).forEach(one -> cut(one, next(leader)))));
        faults.put(
                "nobody hears the leader, and it hears all",
                new Fault(1, 1, leader -> others(leader).forEach(one -> network.cut(leader, one))));
        faults.put(
                "all hear the leader, and it hears nobody",
                new Fault(0, 1, leader -> others(leader).forEach(one -> network.cut(one, leader))));
        faults.put(
                "the leader is cut off from all candidates",
                new Fault(1, 1, leader -> others(leader).forEach(one -> cut(one, leader))));
        faults.put(
                LOST_OF_HUNDRED + " of 100 packets between the leader and the candidates are lost",
                new Fault(
                        0,
                        1,
                        leader -> others(leader).forEach(one -> {
                            network.lose(leader, one, LOST_OF_HUNDRED);
                            network.lose(one, leader, LOST_OF_HUNDRED);
                        })));
        return faults;
    }

    private static int next(int candidate) {
        return (candidate + 1) % CANDIDATES;
    }

    private static List<Integer> others(int candidate) {
        return IntStream.range(0, CANDIDATES)
                .filter(i -> i != candidate)
                .boxed()
                .toList();
    }

    private void cut(int one, int other) {
        network.cut(one, other);
        network.cut(other, one);
    }

    private Claim after(String name, Fault fault) throws InterruptedException {
        SystemTimeline.sleep(CALM);
        Map.Entry<Long, Integer> last = terms.lastEntry();
        long before = last.getKey();
        fault.happens().accept(last.getValue());
        SystemTimeline.sleep(FAULT);
        network.heal();
        SystemTimeline.sleep(CALM);
        Map<Long, Integer> since = terms.tailMap(before, false);
        String costs = fault.least() == fault.most() ? "" : "at the most ";
        return Claim.of(
                name + ": it costs " + costs + (fault.most() == 0 ? "no term" : "one term"),
                since.size() >= fault.least() && since.size() <= fault.most(),
                "term " + before + " of candidate " + last.getValue() + " was followed by " + since);
    }

    private void awaitTerm() throws InterruptedException {
        long begun = time.nanos();
        while (terms.isEmpty()) {
            if (time.nanos() - begun > FOR_A_TERM.toNanos()) {
                throw new IllegalStateException("nobody has led within " + FOR_A_TERM.toSeconds() + " s");
            }
            SystemTimeline.sleep(Duration.ofMillis(20));
        }
    }

    private void start(int candidate, TemporaryFolder folder, String input) throws IOException {
        Process process = JavaChild.startIn(
                network.member(candidate),
                folder.resolve("writer-" + candidate + ".err").toFile(),
                HeardWriter.class.getName(),
                List.of(
                        "w" + candidate,
                        NAME,
                        "1",
                        Long.toString(LEASE_MILLIS),
                        network.member(candidate).address() + ":0"));
        writers.add(process);
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String stands = out.readLine();
        if (stands == null) {
            throw new IllegalStateException("candidate " + candidate + " ended before it stood");
        }
        note(candidate, stands);
        Thread reader = new Thread(() -> JavaChild.lines(out, line -> note(candidate, line)));
        reader.setDaemon(true);
        reader.start();
    }

    private void note(int candidate, String line) {
        if (line.startsWith("wrote ")) {
            terms.put(Long.parseLong(line.split(" ", -1)[1]), candidate);
        }
    }
}
