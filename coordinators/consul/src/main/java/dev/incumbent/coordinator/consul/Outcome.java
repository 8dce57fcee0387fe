package dev.incumbent.coordinator.consul;

import java.util.List;

/** How a transaction ended that Consul decided about. */
sealed interface Outcome {
    /** It applied; what its operations told. */
    record Done(List<Entry> entries) implements Outcome {}

    /** An operation of it failed for what it found there, so that none applied; in Consul's words. */
    record Refused(List<String> why) implements Outcome {
        boolean says(String words) {
            return why.stream().anyMatch(one -> one.contains(words));
        }
    }
}
