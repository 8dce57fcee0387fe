package dev.incumbent.examples;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.beats.netty.NettyBeats;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.Sinks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Closes the ledger on one host, and on another one a blink after that one has died. */
final class HeardLedger {
    private HeardLedger() {}

    static void close(String host) throws IOException, InterruptedException {
        NettyBeats beats = NettyBeats.listen("0.0.0.0:7400")
                .advertise(host + ":7400")
                .keys(Path.of("/etc/incumbent/beats.keys"))
                .build();
        try (Elections elections =
                Elections.connect("etcd://etcd1:2379/incumbent").beats(beats).open()) {
            Sink ledger = Sinks.open("postgresql://db/ledger", Duration.ofSeconds(2));
            try (Candidacy candidacy =
                    elections.election("billing/closer").guarding(ledger).campaign(leadership -> {})) {
                candidacy.awaitLeadership();
            }
        }
    }
}
