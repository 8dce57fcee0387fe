package dev.incumbent.cli.lab;

import dev.incumbent.lab.LabCell;
import dev.incumbent.telling.JsonObject;

/** A cell of the lab as JSON. Seconds have three decimals; what was never seen is null. */
final class LabJson {
    private LabJson() {}

    static JsonObject of(LabCell cell) {
        JsonObject json = new JsonObject()
                .put("protocol", cell.place().protocol().label())
                .put("scenario", cell.place().scenario().label())
                .put("members", cell.place().size());
        if (cell.place().protocol().isLeased()) {
            json.putDecimal("leaseSeconds", cell.place().lease().toMillis() / 1e3);
        } else {
            json.putNull("leaseSeconds");
        }
        json.put("runs", cell.runs())
                .putDecimal("measuredSeconds", cell.measuredSeconds())
                .put("detection", spread(cell.detection()))
                .put("takeover", spread(cell.takeover()))
                .putDecimal("severalBelieversSeconds", cell.several())
                .putDecimal("noBelieverSeconds", cell.none())
                .putDecimal("messagesPerSecond", cell.messages());
        decimal(json, "electionMessagesPerLeadership", cell.electionMessages().orElse(Double.NaN));
        json.putDecimal("leaderships", cell.leaderships())
                .putDecimal("writesAcknowledged", cell.acknowledged())
                .put("writesLostUnfenced", cell.lost())
                .put("writesStaleUnfenced", cell.stale());
        if (cell.place().protocol().isFenced()) {
            json.put("writesLostFenced", cell.lostThoughFenced()).put("writesStaleFenced", cell.staleThoughFenced());
        } else {
            json.putNull("writesLostFenced").putNull("writesStaleFenced");
        }
        return json.putDecimal("availability", cell.availability());
    }

    private static JsonObject spread(LabCell.Spread spread) {
        JsonObject json = new JsonObject().put("count", spread.count()).put("never", spread.never());
        decimal(json, "p50Seconds", spread.p50());
        decimal(json, "p99Seconds", spread.p99());
        return json;
    }

    private static void decimal(JsonObject json, String key, double value) {
        if (Double.isFinite(value)) {
            json.putDecimal(key, value);
        } else {
            json.putNull(key);
        }
    }
}
