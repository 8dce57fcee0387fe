package dev.incumbent.coordinator.etcd;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;

/** How everything is called in the store. What no name can bear, {@code :}, separates a candidate from its election. */
record Keys(String prefix) {
    String records() {
        return prefix + "e/";
    }

    String record(ElectionName election) {
        return records() + election;
    }

    String leases() {
        return prefix + "l/";
    }

    String lease(LeaseId lease) {
        return leases() + lease;
    }

    String candidates() {
        return prefix + "c/";
    }

    String candidates(ElectionName election) {
        return candidates() + election + ":";
    }

    String candidate(ElectionName election, CandidateId candidate) {
        return candidates(election) + candidate;
    }

    /** The election that a candidate's or a record's key names. */
    String electionOf(String key) {
        String name = key.substring(records().length());
        int colon = name.indexOf(':');
        return colon < 0 ? name : name.substring(0, colon);
    }
}
