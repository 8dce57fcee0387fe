package dev.incumbent.acceptance;

import dev.incumbent.Elections;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process that stands in one election until it is killed, and says when it leads. Arguments: its name, the election, the lease in ms. The URI comes on standard input. */
public final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws Exception {
        String at = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        Timing timing = Timing.ofLease(Duration.ofMillis(Long.parseLong(arguments[2])));
        SystemTimeline clocks = new SystemTimeline();
        Coordinator coordinator = Coordinators.open(at, clocks, timing.requestTimeout());
        Elections elections = Elections.over(coordinator)
                .name(arguments[0])
                .timing(timing)
                .timeline(clocks)
                .open();
        var candidacy = elections.election(arguments[1]).campaign(leadership -> {
            System.out.println("leads " + leadership.token().value());
            new CountDownLatch(1).await();
        });
        while (!candidacy.health().enlisted()) {
            SystemTimeline.sleep(Duration.ofMillis(5));
        }
        System.out.println("stands");
        new CountDownLatch(1).await();
    }
}
