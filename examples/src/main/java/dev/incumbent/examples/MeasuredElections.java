package dev.incumbent.examples;

import dev.incumbent.Election;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.CoordinatorSource;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.Sinks;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.micrometer.ElectionMeters;
import dev.incumbent.micrometer.MeteredCoordinator;
import dev.incumbent.micrometer.MeteredSink;
import dev.incumbent.micrometer.RefusalMeters;
import io.micrometer.core.instrument.MeterRegistry;

/** Elections whose meters stand beside those of the application. */
final class MeasuredElections {
    private MeasuredElections() {}

    static Elections open(String uri, MeterRegistry registry) {
        return Elections.connect(uri).listener(ElectionMeters.in(registry)).open();
    }

    /** The calls to the coordinator are timed, too, and the age of the lease is told. */
    static Elections open(CoordinatorSource source, MeterRegistry registry) {
        return Elections.connect((clocks, timeout) -> MeteredCoordinator.around(source.open(clocks, timeout), registry))
                .listener(ElectionMeters.in(registry))
                .open();
    }

    /** So are the raises of a sink. */
    static Election guarding(Elections elections, String url, MeterRegistry registry) {
        return elections.election("billing/closer").guarding(MeteredSink.around(Sinks.open(url), registry));
    }

    /** And what a sink refuses. */
    static void write(Leadership leadership, RefusedWrites.Write write, RefusalMeters ledger) throws FenceException {
        try {
            write.run();
        } catch (StaleTokenException another) {
            ledger.refused(another);
            leadership.reportStale(another);
        }
    }
}
