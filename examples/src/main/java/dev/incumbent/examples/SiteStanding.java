package dev.incumbent.examples;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.fence.Sink;
import java.util.concurrent.CountDownLatch;

/**
 * Who leads its site stands for the whole: a coordinator for each failure domain, under a central one.
 *
 * <p>The task of the site's election. So the central coordinator sees one candidate a site, whatever the size of the site; a site that is cut off from the centre
 * keeps its own leader and stands for nothing else; and the token that sinks check is the central one.
 */
public final class SiteStanding implements LeaderTask {
    private final Elections central;
    private final String election;
    private final Sink[] sinks;
    private final LeaderTask task;

    /** The task is done by the leader of {@code election} at the centre, and of its site. */
    public SiteStanding(Elections central, String election, LeaderTask task, Sink... sinks) {
        this.central = central;
        this.election = election;
        this.task = task;
        this.sinks = sinks.clone();
    }

    /** Stands at the centre for as long as the site's term lasts: an interrupt closes the candidacy, which stops the task first. */
    @Override
    public void lead(Leadership site) throws InterruptedException {
        Candidacy standing = central.election(election).guarding(sinks).campaign(task);
        try {
            new CountDownLatch(1).await();
        } finally {
            standing.close();
        }
    }
}
