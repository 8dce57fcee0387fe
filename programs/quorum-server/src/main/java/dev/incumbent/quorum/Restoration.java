package dev.incumbent.quorum;

import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.protocol.Features;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a new quorum begins with where it begins with a snapshot. Decided by the snapshot, the new quorum's id and the lift alone, so that every member comes to the same.
 *
 * <p>The table is older than what the lost quorum acknowledged. So:
 *
 * <ul>
 *   <li>Nobody leads. Leases, candidates and requests are left out: they are those of clients of the lost quorum.
 *   <li>Each term is lifted, above all that was granted since, also where no sink remembers it.
 *   <li>Each record has a new nonce, and no epoch of the lost quorum's log is known: nothing that was prepared on it, and no position in it, is taken.
 *   <li>Freezes, sinks and past terms stay.
 * </ul>
 *
 * @param cluster the new quorum's id
 * @param lift by how much each term is lifted
 */
record Restoration(Snapshot of, String cluster, long lift) {
    /** As lines of a snapshot of the new quorum. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (String line : of.content()) {
            List<String> is = Line.fields(line);
            switch (is.get(0)) {
                case Entry.LEVEL -> lines.add(line);
                case "EPOCH", "LEASE", "CANDIDATE" -> {}
                case "ELECTION" -> lines.add(election(is.get(1), is.get(3), is.get(5)));
                default ->
                    throw new UnknownFormat(
                            "a line begins with '" + UnknownFormat.shown(is.get(0)) + "', which cannot be restored");
            }
        }
        return lines;
    }

    private String election(String name, String nonce, String text) {
        String index = Long.toString(of.header().index());
        return lifted(name, nonce, text)
                .map(next -> Line.of("ELECTION", name, index, next.nonce(), "", RecordJson.write(next)))
                .orElse(Line.of("ELECTION", name, index, nonce, "", text));
    }

    /** Empty where this build may not write it: it is left as it is then, and its leader's lease is dead. */
    private Optional<LeaderRecord> lifted(String name, String nonce, String text) {
        return record(text)
                .map(record -> vacated(record)
                        .vacated(record.term() > Long.MAX_VALUE - lift ? record.term() : record.term() + lift, taken())
                        .withRequest(Optional.empty())
                        .written(next(name, nonce)));
    }

    /** A record that this build may write; empty where it cannot read it, or it requires what this build does not know. */
    static Optional<LeaderRecord> record(String text) {
        try {
            return Optional.of(RecordJson.read(text))
                    .filter(record -> record.requiresBeyond(Features.KNOWN).isEmpty());
        } catch (UnreadableRecordException unreadable) {
            return Optional.empty();
        }
    }

    /** Its history tells that the leader's term is over. */
    private LeaderRecord vacated(LeaderRecord record) {
        return record.leader()
                .map(leader -> record.remembering(new PastTerm(
                        record.term(), leader, record.since(), taken(), EndReason.LEASE_LOST, record.leaseLength())))
                .orElse(record);
    }

    private Instant taken() {
        return of.header().taken();
    }

    /** The same on all members, and none that was ever written. */
    private String next(String name, String nonce) {
        return UUID.nameUUIDFromBytes(Line.of(cluster, name, nonce).getBytes(StandardCharsets.UTF_8))
                .toString();
    }
}
