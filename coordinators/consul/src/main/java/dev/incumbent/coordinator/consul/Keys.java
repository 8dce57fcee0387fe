package dev.incumbent.coordinator.consul;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import java.util.Optional;

/**
 * The names of the keys. A colon ends an election's name, which has none itself, so that no name is the beginning of another's keys.
 *
 * <pre>
 * PREFIX/e/ELECTION:record         the record
 * PREFIX/e/ELECTION:nonce:NONCE    the marker of its nonce; there is one
 * PREFIX/l/LEASE                   a lease, locked by its session and deleted with it
 * PREFIX/p/LEASE                   how long its holder was told that it lasts; it outlives the session
 * PREFIX/c/ELECTION:CANDIDATE      a candidate, locked by its lease's session and deleted with it
 * </pre>
 */
record Keys(String prefix) {
    private static final String RECORD = ":record";
    private static final String NONCE = ":nonce:";

    /** Beneath which all keys lie. */
    String all() {
        return prefix + "/";
    }

    String elections() {
        return prefix + "/e/";
    }

    String candidacies() {
        return prefix + "/c/";
    }

    /** Beneath which a record and its marker lie. */
    String election(ElectionName election) {
        return elections() + election + ":";
    }

    String record(ElectionName election) {
        return elections() + election + RECORD;
    }

    String marker(ElectionName election, String nonce) {
        return elections() + election + NONCE + nonce;
    }

    String lease(LeaseId lease) {
        return prefix + "/l/" + lease;
    }

    String promise(LeaseId lease) {
        return promises() + lease;
    }

    private String promises() {
        return prefix + "/p/";
    }

    /** Beneath which an election's candidates lie. */
    String candidates(ElectionName election) {
        return candidacies() + election + ":";
    }

    String candidate(ElectionName election, CandidateId candidate) {
        return candidates(election) + candidate;
    }

    /** The election of a record's or a candidate's key. */
    Optional<ElectionName> electionOf(String key) {
        int colon = key.indexOf(':', all().length());
        boolean isElections = key.startsWith(elections()) || key.startsWith(candidacies());
        if (!isElections || colon < 0) {
            return Optional.empty();
        }
        return ElectionName.ifLegal(key.substring(elections().length(), colon));
    }

    /** The nonce of a marker's key. */
    Optional<String> nonceOf(String key) {
        int at = key.startsWith(elections()) ? key.indexOf(NONCE) : -1;
        return at < 0 ? Optional.empty() : Optional.of(key.substring(at + NONCE.length()));
    }

    /** The lease of a lease's key. */
    Optional<LeaseId> leaseOf(String key) {
        return leaseBeneath(prefix + "/l/", key);
    }

    /** The lease of a promise's key. */
    Optional<LeaseId> promisedOf(String key) {
        return leaseBeneath(promises(), key);
    }

    private static Optional<LeaseId> leaseBeneath(String leases, String key) {
        return key.startsWith(leases) && key.length() > leases.length()
                ? Optional.of(new LeaseId(key.substring(leases.length())))
                : Optional.empty();
    }
}
