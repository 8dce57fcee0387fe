package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.Holders;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code status} and {@code history} of an election that asks that former leaders are turned off. */
class StonithReadingTest {
    private final VirtualTimeline timeline = new VirtualTimeline();
    private final Office office = new Office(timeline);

    /** a and then b lost their leases, and c leads: a was confirmed by a person, and b is still owed. */
    @BeforeEach
    void aIsConfirmedAndBIsOwedWhileCLeads() {
        for (String name : List.of("a", "b", "c")) {
            office.stand("job", name);
        }
        office.lead("job", "a");
        office.vacate("job", EndReason.LEASE_LOST);
        office.lead("job", "b");
        office.vacate("job", EndReason.LEASE_LOST);
        office.lead("job", "c");
        office.change(
                "job",
                record -> record.withRequires(Set.of(Feature.STONITH))
                        .withHolders(Holders.of(List.of(holder(1, "a"), holder(2, "b"), holder(3, "c"))))
                        .withProof(
                                1,
                                new HolderProof(
                                        HolderProof.Kind.CONFIRMED,
                                        "ann@desk",
                                        "its plug is pulled",
                                        Office.NOON.plusSeconds(90))));
    }

    @Test
    void statusTellsWhoIsStillOwedAndWhomAPersonConfirmed() {
        CommandRun one = at(Duration.ofMinutes(3)).run("status", "job");

        assertThat(one.code()).as(one.err()).isZero();
        assertThat(one.out())
                .contains("leader     c@host-7-9f3c\n")
                .contains(
                        "owed       term 2 of b@host-7-9f3c on node-b (boot boot-b), since 2026-11-20T12:00:00Z (3m ago): not seen off\n")
                .contains(
                        "confirmed  term 1 of a@host-7-9f3c acts no more, by ann@desk: its plug is pulled, 2026-11-20T12:01:30Z (90s ago)\n")
                .doesNotContain("node-c");
    }

    @Test
    void statusOfManyHasAColumnOfThoseWhoAreOwed() {
        office.stand("other", "a");

        assertThat(columns("status"))
                .containsExactly(
                        List.of("ELECTION", "TOKEN", "LEADER", "SINCE", "LEASE", "NEXT", "OWED"),
                        List.of("job", "3", "c", "2026-11-20T12:00:00Z", "alive", "a b", "node-b (term 2)"),
                        List.of("other", "-", "-", "-", "-", "a", "-"));
    }

    /** While its lease is alive it is nobody's debt. */
    @Test
    void aLeaderIsOwedOnceItsLeaseIsDead() {
        timeline.advance(Office.LEASE.multipliedBy(2));

        assertThat(columns("status").get(1)).endsWith("dead", "-", "node-b (term 2) node-c (term 3)");
        assertThat(office.run("stonith", "list", "job").out()).doesNotContain("leads");
    }

    @Test
    void aLeaderThatVacatedUnderItsTaskIsOwed() {
        office.vacate("job", EndReason.STALLED);

        assertThat(columns("status").get(1)).endsWith("node-b (term 2) node-c (term 3)");
    }

    @Test
    void whatAFenceAgentSawIsNoPersonsWord() {
        office.change(
                "job",
                record -> record.withProof(
                        2, new HolderProof(HolderProof.Kind.OFF, "c@host-7-9f3c", "", Office.NOON.plusSeconds(70))));

        assertThat(office.run("history", "job").out()).contains("  off by c@host-7-9f3c\n");
        assertThat(office.run("status", "job").out())
                .contains("confirmed  term 1 ")
                .doesNotContain("term 2", "owed");
    }

    @Test
    void historyTellsOfEachTermWhetherItWasVerified() {
        office.vacate("job", EndReason.RESIGNED);
        office.change(
                "job",
                record -> record.withHolders(record.holders().without(3))); // it left in order, and is owed nothing

        assertThat(columns("history", "job").stream().map(row -> List.of(row.get(0), row.get(row.size() - 1))))
                .containsExactly(
                        List.of("TOKEN", "STONITH"),
                        List.of("1", "confirmed by ann@desk: its plug is pulled"),
                        List.of("2", "owed: node-b is not seen off"),
                        List.of("3", "-"));
        assertThat(office.run("history", "job", "-o", "json").out())
                .contains(
                        "\"reason\":\"lost\",\"stonith\":{\"verified\":true,\"proof\":\"confirmed\",\"by\":\"ann@desk\","
                                + "\"why\":\"its plug is pulled\",\"at\":\"2026-11-20T12:01:30Z\"}}")
                .contains(
                        "\"reason\":\"lost\",\"stonith\":{\"verified\":false,\"node\":\"node-b\",\"bootId\":\"boot-b\","
                                + "\"process\":\"7:1:x\"}}")
                .endsWith("\"reason\":\"resigned\"}]\n");
    }

    @Test
    void statusInJsonHasAllHoldersAndProofs() {
        assertThat(office.run("status", "job", "-o", "json").out())
                .contains("\"stonith\":{\"holders\":["
                        + "{\"term\":2,\"node\":\"node-b\",\"candidate\":\"b@host-7-9f3c\",\"bootId\":\"boot-b\","
                        + "\"process\":\"7:1:x\",\"leads\":false,\"from\":\"2026-11-20T12:00:00Z\",\"to\":\"2026-11-20T12:01:00Z\"},"
                        + "{\"term\":3,\"node\":\"node-c\",\"candidate\":\"c@host-7-9f3c\",\"bootId\":\"boot-c\","
                        + "\"process\":\"7:1:x\",\"leads\":true,\"from\":\"2026-11-20T12:00:00Z\",\"to\":null}],"
                        + "\"proved\":[{\"term\":1,\"candidate\":\"a@host-7-9f3c\",\"proof\":\"confirmed\",\"by\":\"ann@desk\","
                        + "\"why\":\"its plug is pulled\",\"at\":\"2026-11-20T12:01:30Z\"}]}");
    }

    /** The history has sixteen terms, and a debt has no end. */
    @Test
    void whomTheHistoryHasForgottenItStillNames() {
        for (int i = 0; i < 16; i++) {
            office.vacate("job", EndReason.RESIGNED);
            office.lead("job", "c");
        }

        CommandRun history = office.run("history", "job");

        assertThat(history.out()).doesNotContain("node-b");
        assertThat(history.err())
                .isEqualTo("incumbent: job still owes a proof of node-b (term 2), which its history has forgotten: "
                        + "see 'incumbent stonith list job'\n");
        assertThat(office.run("status", "job", "-o", "json").out())
                .contains("\"node\":\"node-b\"", "\"from\":null,\"to\":null}");
        assertThat(office.run("status", "job").out()).contains("node-b (boot boot-b): not seen off");
    }

    @Test
    void anElectionThatDoesNotAskForItTellsNothingOfIt() {
        office.stand("plain", "a");
        office.lead("plain", "a");
        office.vacate("plain", EndReason.RESIGNED);

        assertThat(office.run("status", "plain", "-o", "json").out()).doesNotContain("stonith");
        assertThat(office.run("history", "plain", "-o", "json").out()).doesNotContain("stonith");
        assertThat(office.run("history", "plain").out()).doesNotContain("STONITH");
        assertThat(office.run("status", "plain").out()).doesNotContain("owed");
    }

    private static Holder holder(long term, String name) {
        CandidateId id = Office.candidate(name).id();
        return new Holder(term, id, new NodeBoot("node-" + name, "boot-" + name, "7:1:x"));
    }

    private List<List<String>> columns(String... line) {
        return office.run(line)
                .out()
                .lines()
                .map(row -> List.of(row.split(" {2,}")))
                .toList();
    }

    private Office at(Duration afterNoon) {
        timeline.stepWall(Duration.ofMillis(Office.NOON.plus(afterNoon).toEpochMilli() - timeline.wallMillis()));
        return office;
    }
}
