package dev.incumbent.calls;

/** How an adapter tells its callers that a call ended without an answer. */
@FunctionalInterface
public interface Failures {
    /**
     * A failure to complete a call with; a new one each time.
     *
     * @param why what happened, to follow the name of what was called: "did not answer in time"
     */
    RuntimeException of(String why, boolean mayHaveApplied);
}
