package dev.incumbent.acceptance;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.beats.netty.NettyBeats;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;

/**
 * A process that stands in some elections until it is killed, is heard by the others and hears them, and writes to a ledger behind its fence while it leads. Says {@code wrote TOKEN I} once the first row of a term in the election {@code NAME/I} was accepted. Arguments: its name, NAME, how many
 * elections, the lease in ms, and where it is heard, as {@code host:port}, or {@code unheard}. The coordinator's URI and the ledger's come on standard input.
 */
public final class HeardWriter {
    /** Of one election; of many, each is written to as much more seldom. */
    private static final Duration BETWEEN_ROWS = Duration.ofMillis(5);

    private static final int MOST_CONNECTIONS = 8;

    private final String ledgerUrl;
    private final Duration betweenRows;
    private final BlockingQueue<Connection> connections = new ArrayBlockingQueue<>(MOST_CONNECTIONS);

    private HeardWriter(String ledgerUrl, int elections) throws SQLException {
        this.ledgerUrl = ledgerUrl;
        this.betweenRows = BETWEEN_ROWS.multipliedBy(elections);
        for (int i = 0; i < Math.min(elections, MOST_CONNECTIONS); i++) {
            connections.add(DriverManager.getConnection(ledgerUrl));
        }
    }

    static ElectionName election(String name, int number) {
        return new ElectionName(name + "/" + number);
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String at = in.readLine();
        int count = Integer.parseInt(arguments[2]);
        HeardWriter writer = new HeardWriter(in.readLine(), count);
        Timing timing = Timing.ofLease(Duration.ofMillis(Long.parseLong(arguments[3])));
        SystemTimeline clocks = new SystemTimeline();
        Coordinator coordinator = Coordinators.open(at, clocks, timing.requestTimeout());
        Elections.Builder settings =
                Elections.over(coordinator).name(arguments[0]).timing(timing).timeline(clocks);
        Elections elections = arguments[4].equals("unheard")
                ? settings.open()
                : settings.beats(NettyBeats.listen(arguments[4]).insecure().build())
                        .open();
        for (Candidacy candidacy : writer.stand(elections, arguments[1], count, timing.requestTimeout())) {
            while (!candidacy.health().enlisted()) {
                SystemTimeline.sleep(Duration.ofMillis(5));
            }
        }
        System.out.println("stands");
        new CountDownLatch(1).await();
    }

    private List<Candidacy> stand(Elections elections, String name, int count, Duration bound) {
        Sink sink = ledger(name, 0).sink(bound);
        List<Candidacy> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            Ledger ledger = ledger(name, number);
            all.add(elections
                    .election(election(name, number).value())
                    .guarding(sink)
                    .campaign(leadership -> write(leadership, ledger, number)));
        }
        return all;
    }

    private Ledger ledger(String name, int number) {
        return Ledger.of(ledgerUrl, election(name, number), FastFailover.TABLE);
    }

    private void write(Leadership leadership, Ledger ledger, int number)
            throws SQLException, StaleTokenException, InterruptedException {
        row(leadership, ledger, number);
        System.out.println("wrote " + leadership.token().value() + " " + number);
        while (leadership.holds()) {
            SystemTimeline.sleep(betweenRows);
            row(leadership, ledger, number);
        }
    }

    private void row(Leadership leadership, Ledger ledger, int number)
            throws SQLException, StaleTokenException, InterruptedException {
        Connection connection = connections.take();
        try {
            ledger.pen(connection).write(leadership.token(), "election " + number);
        } finally {
            connections.add(connection);
        }
    }
}
