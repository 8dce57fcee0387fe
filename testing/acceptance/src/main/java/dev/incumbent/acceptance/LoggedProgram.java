package dev.incumbent.acceptance;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.LeaderTask;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.Sinks;
import dev.incumbent.model.Timing;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A program that stands in one election and says nothing itself: what is on its standard error is the library's log, in the JDK's own form. It ends with its standard input. */
final class LoggedProgram {
    private LoggedProgram() {}

    /** Takes the coordinator's URI, the lease, whether its task throws, and the sinks' URLs. */
    @SuppressWarnings("try") // a candidacy need not be spoken to: that it is open is what counts
    public static void main(String[] arguments) throws IOException {
        LeaderTask task = Boolean.parseBoolean(arguments[2]) ? led -> fail() : led -> new CountDownLatch(1).await();
        Sink[] sinks = new Sink[arguments.length - 3];
        for (int i = 0; i < sinks.length; i++) {
            sinks[i] = Sinks.open(arguments[3 + i]);
        }
        try (Elections elections = Elections.connect(arguments[0])
                        .name("ledger-1")
                        .timing(Timing.ofLease(Duration.parse(arguments[1])))
                        .open();
                Candidacy candidacy =
                        elections.election("billing").guarding(sinks).campaign(task)) {
            System.in.read();
        }
    }

    private static void fail() {
        throw new IllegalStateException("the ledger is locked");
    }
}
