package dev.incumbent.examples;

import static java.time.Duration.ofSeconds;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.Elections;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.CoordinatorSource;
import dev.incumbent.health.Answer;
import dev.incumbent.health.Beat;
import dev.incumbent.health.CommandCheck;
import dev.incumbent.health.Condition;
import dev.incumbent.health.FreeDisk;
import dev.incumbent.health.HealthCheck;
import dev.incumbent.health.HealthListener;
import dev.incumbent.health.HealthMonitor;
import dev.incumbent.health.HeapInUse;
import dev.incumbent.health.HttpProbe;
import dev.incumbent.health.OpenFiles;
import dev.incumbent.health.Rhythm;
import dev.incumbent.health.RoundTrip;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A ledger that only a process leads that can do the work. */
final class HealthyLedger {
    private HealthyLedger() {}

    /** Two checks in the standard rhythm, and one that is asked each second. */
    static Candidacy candidacy(Election election, LeaderTask task, Path data, URI probe) {
        HealthMonitor monitor = HealthMonitor.asking(FreeDisk.atLeastPercent(data, 5), HeapInUse.atMost(90))
                .asking(Rhythm.every(ofSeconds(1)).after(2, 3), HttpProbe.of(probe))
                .start();
        Candidacy candidacy = monitor.govern(election.campaign(task));
        return candidacy;
    }

    /** A check of one's own: the sentence is <em>the replica lags by 40 s</em>. */
    static HealthCheck replica(Supplier<Duration> lag) {
        return HealthCheck.of("the replica", () -> {
            Duration now = lag.get();
            String lags = "lags by " + now.toSeconds() + " s";
            return now.compareTo(ofSeconds(30)) > 0 ? Answer.sick(lags) : Answer.well(lags);
        });
    }

    /** Checks of this process and of what it works with, and somebody who is told. */
    static HealthMonitor monitor(HealthListener pager, HealthCheck replica) {
        return HealthMonitor.asking(OpenFiles.atMost(90), CommandCheck.of("systemctl", "is-active", "chrony"))
                .asking(Rhythm.every(ofSeconds(10)).within(ofSeconds(5)).after(3), replica)
                .listener(pager)
                .start();
    }

    /** Renewals of the lease are measured on their way. */
    static Elections measured(CoordinatorSource source) {
        RoundTrip coordinator = RoundTrip.atMost(50);
        Elections elections = Elections.connect(coordinator.to(source)).open();
        HealthMonitor monitor = HealthMonitor.asking(coordinator).start();
        monitor.govern(elections.election("billing/closer").campaign());
        return elections;
    }

    /** A piece of work that hangs does not beat, and another process leads. */
    static LeaderTask beating(Beat beat, LedgerLines ledger) {
        return leadership -> {
            try (Beat.Work work = beat.begin()) {
                while (ledger.more() && leadership.holds()) {
                    ledger.append(leadership);
                    work.beat();
                }
            }
        };
    }

    /** What the work consists of. */
    interface LedgerLines {
        boolean more();

        void append(Leadership leadership) throws InterruptedException;
    }

    /** For a page of status: each check, and what is believed of it. */
    static String page(HealthMonitor monitor) {
        return monitor.conditions().stream()
                .map((Condition condition) -> condition.state() + " " + condition.sentence())
                .collect(Collectors.joining("\n"));
    }
}
