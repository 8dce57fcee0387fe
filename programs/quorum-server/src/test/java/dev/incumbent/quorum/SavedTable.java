package dev.incumbent.quorum;

import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Request;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.VirtualTimeline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A table with some of everything, as a quorum saves it. */
final class SavedTable {
    static final Instant CLAIMED = Instant.parse("2026-11-24T10:00:00Z");
    static final Candidate ADA = new Candidate(new CandidateId("ada@h1"), "ada", "h1:80");
    static final Freeze FREEZE = new Freeze("eve", "two ledgers", CLAIMED, 9);

    /** Led, on a lease of 40 s, by a leader that was asked to resign. */
    static final LeaderRecord LED = LeaderRecord.EMPTY
            .claimedBy(7, ADA, new LeaseId("L1"), Duration.ofSeconds(40), CLAIMED)
            .withSinks(Map.of(new SinkId("s1"), "the ledger"))
            .withRequest(Optional.of(new Request.Resign("r1", 7)))
            .written("nonce-of-led");

    static final LeaderRecord FROZEN = LeaderRecord.EMPTY
            .vacated(9, CLAIMED)
            .withFreeze(Optional.of(FREEZE))
            .written("nonce-of-frozen");

    /** Of a version to come. */
    static final String UNREADABLE = "{\"v\":9,\"term\":3}";

    private SavedTable() {}

    static SharedTable table() {
        SharedTable table = new SharedTable(new VirtualTimeline());
        apply(table, 1, "EPOCH", "e1");
        apply(table, 2, "LEVEL", "1");
        apply(table, 3, "GRANT", "L1", "ada", "40000");
        apply(table, 4, "SWAP", "billing/closer", "", LED.nonce(), "L1", RecordJson.write(LED));
        apply(table, 5, "ENLIST", "billing/closer", "ada@h1", "L1", "ada\tand a tab");
        apply(table, 6, "SWAP", "frozen", "", FROZEN.nonce(), "", RecordJson.write(FROZEN));
        apply(table, 7, "SWAP", "later", "", "n3", "L1", UNREADABLE);
        return table;
    }

    static Snapshot snapshot() {
        return table().copy("11111111-0000-4000-8000-000000000001", "n2");
    }

    /** As a file holds them. */
    static byte[] text(List<String> lines) {
        return Line.body(lines).getBytes(StandardCharsets.UTF_8);
    }

    static void apply(SharedTable table, long index, String... fields) {
        String unused = table.apply(index, Line.of(fields));
    }
}
