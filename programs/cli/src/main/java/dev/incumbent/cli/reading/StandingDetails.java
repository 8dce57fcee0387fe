package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.Ages;
import dev.incumbent.cli.frame.Columns.Cell;
import dev.incumbent.cli.frame.Paint;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.Request;
import dev.incumbent.telling.HolderView;
import dev.incumbent.telling.Standing;
import java.time.Duration;
import java.time.Instant;

/** One election as {@code status NAME} tells people: all there is, a line each. */
final class StandingDetails {
    private final Surroundings around;
    private final Standing standing;

    StandingDetails(Surroundings around, Standing standing) {
        this.around = around;
        this.standing = standing;
    }

    void print() {
        line("election", standing.election().value());
        standing.obstacle()
                .ifPresentOrElse(why -> line("unread", around.screen().paint(Paint.BAD, why)), this::leadership);
        standing.next()
                .forEach(enlisted -> line(
                        "next",
                        whole(enlisted.candidate()) + ", stands since " + ago(enlisted.since())
                                + cordoned(enlisted.candidate())));
        orders(standing.record());
    }

    private void leadership() {
        LeaderRecord record = standing.record();
        line("leader", record.leader().map(one -> whole(one) + cordoned(one)).orElse("nobody"));
        if (record.term() > 0) {
            line("token", Long.toString(record.term()));
            line("since", ago(record.since()));
        }
        if (record.leader().isPresent()) {
            Cell lease = StandingTable.lease(standing);
            line("lease", around.screen().paint(lease.paint(), lease.text()));
        }
    }

    private void orders(LeaderRecord record) {
        record.freeze().ifPresent(freeze -> line("frozen", around.screen().paint(Paint.DOUBTFUL, of(freeze))));
        record.cordons()
                .all()
                .forEach(cordon -> line("cordoned", around.screen().paint(Paint.DOUBTFUL, of(cordon))));
        record.request().ifPresent(request -> line("request", of(request)));
        record.planned().ifPresent(planned -> line("planned", of(planned)));
        record.sinks().forEach((id, label) -> line("sink", label + " (id " + id + ")"));
        record.retiredSinks().forEach(id -> line("retired", "sink id " + id));
        record.requires().forEach(feature -> line("requires", feature.toString()));
        HolderView.owed(standing.observed())
                .forEach(view ->
                        line("owed", around.screen().paint(Paint.DOUBTFUL, StonithText.of(view, around.now()))));
        record.history()
                .forEach(past -> past.stonith()
                        .filter(proof -> proof.kind() == HolderProof.Kind.CONFIRMED)
                        .ifPresent(proof -> line("confirmed", StonithText.of(past, proof, around.now()))));
    }

    private void line(String label, String text) {
        around.out().println("%-10s %s".formatted(label, text));
    }

    private static String whole(Candidate candidate) {
        return candidate.id()
                + (candidate.address().isEmpty() ? "" : " at " + candidate.address())
                + of(candidate.rank())
                + (candidate.position().isEmpty()
                        ? ""
                        : ", position " + candidate.position().getAsLong())
                + (candidate.leads() == 0 ? "" : ", its process leads " + candidate.leads());
    }

    private static String of(CandidateRank rank) {
        return (rank.priority() == 0 ? "" : ", priority " + rank.priority())
                + (rank.version().isEmpty() ? "" : ", version " + rank.version())
                + (rank.oldestFirst() ? ", oldest first" : "")
                + (rank.zone().isEmpty() ? "" : ", zone " + rank.zone())
                + (rank.isAway()
                        ? (rank.zone().isEmpty() ? ", not in zone " : " and not ") + rank.preferredZone()
                        : "");
    }

    private String cordoned(Candidate candidate) {
        return standing.record().cordons().cover(candidate) ? ", cordoned" : "";
    }

    private String ago(Instant time) {
        return Ages.whole(time, around.now());
    }

    private String of(Freeze freeze) {
        return "by " + freeze.by() + ": " + freeze.why() + ", " + ago(freeze.at());
    }

    private String of(Cordon cordon) {
        return cordon.whom() + " by " + cordon.by() + ": " + cordon.why() + ", " + ago(cordon.at());
    }

    private String of(PlannedTransfer planned) {
        Duration left = Duration.between(around.now(), planned.notBefore());
        return "transfer to " + planned.to() + ", not before " + planned.notBefore()
                + (left.isNegative() ? "" : " (in " + Ages.length(left) + ")") + ", by " + planned.by();
    }

    private static String of(Request request) {
        String what = request instanceof Request.TransferTo transfer ? "transfer to " + transfer.successor() : "resign";
        return what + ", of term " + request.term() + " (id " + request.id() + ")";
    }
}
