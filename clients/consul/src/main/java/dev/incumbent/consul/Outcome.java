package dev.incumbent.consul;

import java.util.List;

/** How a transaction ended that Consul decided about. */
public sealed interface Outcome {
    /** It applied; what its operations told. */
    record Done(List<Entry> entries) implements Outcome {}

    /** An operation of it failed for what it found there, so that none applied; in Consul's words. */
    record Refused(List<String> why) implements Outcome {
        /** Do they hold these? */
        public boolean says(String words) {
            return why.stream().anyMatch(one -> one.contains(words));
        }
    }
}
