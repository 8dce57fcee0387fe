package dev.incumbent;

import dev.incumbent.fence.Sink;

/** One election of this process, before it stands. */
public interface Election {
    /** Guards these sinks besides: every one is raised before a task begins. The caller closes them, after the candidacy. */
    Election guarding(Sink... sinks);

    /** Stands, from now until the candidacy is closed; the task runs anew in each term. One candidacy an election and process. */
    Candidacy campaign(LeaderTask task);
}
