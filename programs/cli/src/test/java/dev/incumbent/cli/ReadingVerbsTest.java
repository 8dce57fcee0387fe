package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.Cordons;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Extras;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.PlannedTransfer;
import dev.incumbent.model.Request;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadingVerbsTest {
    private final VirtualTimeline timeline = new VirtualTimeline();
    private final Office office = new Office(timeline);

    @Test
    void statusTellsWhoLeadsWithWhichTokenAndWhoStandsNext() {
        office.stand("billing/closer", "ledger-1");
        office.stand("billing/closer", "ledger-2");
        office.lead("billing/closer", "ledger-1");

        CommandRun status = at(Duration.ofMinutes(3)).run("status");
        CommandRun later = at(Duration.ofDays(2)).run("status");

        assertThat(status.out()).isEqualTo("""
                        ELECTION        TOKEN  LEADER    SINCE           LEASE  NEXT
                        billing/closer  1      ledger-1  12:00:00Z (3m)  alive  ledger-2
                        """);
        assertThat(later.out()).contains("  2026-11-20 (2d)  ");
        assertThat(status.err()).isEmpty();
        assertThat(status.code()).isZero();
    }

    /** So long after noon, by the clock on the wall; leases do not notice. */
    private Office at(Duration afterNoon) {
        timeline.stepWall(Duration.ofMillis(Office.NOON.plus(afterNoon).toEpochMilli() - timeline.wallMillis()));
        return office;
    }

    @Test
    void candidatesOfOneNameAreToldApartByTheirIds() {
        office.stand("job", "a");
        office.stand("job", new Candidate(CandidateId.of("a", "other", 8, "04fe"), "a", ""));
        office.lead("job", "a");

        assertThat(office.run("status").out()).contains(" a@host-7-9f3c ", "  a@other-8-04fe\n");
    }

    @Test
    void manyCandidatesAreCounted() {
        for (String name : new String[] {"a", "b", "c", "d", "e", "f"}) {
            office.stand("job", name);
        }
        office.lead("job", "a");

        assertThat(office.run("status").out()).contains("  b c d +2\n");
    }

    @Test
    void statusOfOneElectionTellsAllThereIs() {
        office.stand("job", new Candidate(new CandidateId("b@host"), "b", "b.example:7"));
        office.stand("job", "a");
        office.lead("job", "a");
        office.change(
                "job",
                record -> record.withFreeze(Optional.of(new Freeze("ada@desk", "split brain", Office.NOON, 9)))
                        .withRequest(Optional.of(new Request.TransferTo("r1", 1, new CandidateId("b@host"))))
                        .withSinks(Map.of(new SinkId("s1"), "ledger.db"))
                        .withRetiredSinks(Set.of(new SinkId("s0"))));

        CommandRun status = at(Duration.ofMinutes(3)).run("status", "job");

        assertThat(status.out()).isEqualTo("""
                        election   job
                        leader     a@host-7-9f3c
                        token      1
                        since      2026-11-20T12:00:00Z (3m ago)
                        lease      alive
                        next       b@host at b.example:7, stands since 2026-11-20T12:00:00Z (3m ago)
                        frozen     by ada@desk: split brain, 2026-11-20T12:00:00Z (3m ago)
                        request    transfer to b@host, of term 1 (id r1)
                        sink       ledger.db (id s1)
                        retired    sink id s0
                        """);
    }

    @Test
    void statusOfAnElectionThatNobodyHasLedSaysSo() {
        office.stand("job", "a");

        assertThat(at(Duration.ofSeconds(50)).run("status", "job").out()).isEqualTo("""
                        election   job
                        leader     nobody
                        next       a@host-7-9f3c, stands since 2026-11-20T12:00:00Z (50s ago)
                        """);
    }

    @Test
    void statusInJsonHasItsStableFields() {
        office.stand("billing/closer", "ledger-1");
        office.lead("billing/closer", "ledger-1");

        CommandRun status = office.run("status", "billing/closer", "-o", "json");

        assertThat(status.out())
                .isEqualTo("{\"at\":\"memory:office\",\"consistency\":\"LINEARIZABLE\",\"elections\":["
                        + "{\"election\":\"billing/closer\",\"term\":1,\"token\":1,"
                        + "\"leader\":{\"id\":\"ledger-1@host-7-9f3c\",\"name\":\"ledger-1\",\"address\":\"\"},"
                        + "\"leaseAlive\":true,\"jeopardy\":false,\"frozen\":null,\"cordons\":[],\"since\":\"2026-11-20T12:00:00Z\","
                        + "\"request\":null,\"planned\":null,\"sinks\":[],\"sinkLabels\":{},\"retiredSinks\":[],\"requires\":[],"
                        + "\"candidates\":[{\"id\":\"ledger-1@host-7-9f3c\",\"name\":\"ledger-1\",\"address\":\"\","
                        + "\"since\":\"2026-11-20T12:00:00Z\",\"supports\":[]}]}]}\n");
    }

    @Test
    void statusShowsFreezeRequestAndSinks() {
        office.stand("job", "a");
        office.lead("job", "a");
        office.change(
                "job",
                record -> record.withFreeze(Optional.of(new Freeze("ada@desk", "split brain", Office.NOON, 9)))
                        .withRequest(Optional.of(new Request.TransferTo("r1", 1, new CandidateId("b@host"))))
                        .withSinks(Map.of(new SinkId("s1"), "ledger.db"))
                        .withRetiredSinks(Set.of(new SinkId("s0"))));

        assertThat(office.run("status").out()).contains("by ada@desk: split brain");
        assertThat(office.run("status", "-o", "json").out())
                .contains(
                        "\"frozen\":{\"by\":\"ada@desk\",\"why\":\"split brain\",\"at\":\"2026-11-20T12:00:00Z\",\"number\":9}")
                .contains("\"request\":{\"id\":\"r1\",\"term\":1,\"kind\":\"transfer\",\"to\":\"b@host\"}")
                .contains("\"sinks\":[\"s1\"],\"sinkLabels\":{\"s1\":\"ledger.db\"},\"retiredSinks\":[\"s0\"]");
    }

    @Test
    void statusShowsPrioritiesAndWhoComesFirstByThem() {
        office.stand("job", Office.candidate("a"));
        office.stand("job", Office.candidate("b").withPriority(-5));
        office.stand("job", Office.candidate("c").withPriority(10));

        assertThat(office.run("status").out()).contains("c a b");
        assertThat(office.run("status", "job").out()).contains("""
                        next       c@host-7-9f3c, priority 10, stands since 2026-11-20T12:00:00Z
                        next       a@host-7-9f3c, stands since 2026-11-20T12:00:00Z
                        next       b@host-7-9f3c, priority -5, stands since 2026-11-20T12:00:00Z
                        """);
        assertThat(office.run("status", "job", "-o", "json").out())
                .contains(
                        "{\"id\":\"c@host-7-9f3c\",\"name\":\"c\",\"address\":\"\",\"attributes\":{\"priority\":\"10\"},");
    }

    @Test
    void statusShowsWhoIsCordonedAndWhoStandsBehind() {
        office.stand("job", "a");
        office.stand("job", "b");
        office.stand("job", "c");
        office.stand("other", "c");
        office.lead("job", "a");
        office.change(
                "job",
                record -> record.withCordons(Cordons.of(List.of(
                        new Cordon("b", "ada@desk", "new disk", Office.NOON),
                        new Cordon("a", "ada@desk", "old disk", Office.NOON)))));

        assertThat(office.run("status").out().lines().map(line -> List.of(line.split(" {2,}"))))
                .containsExactly(
                        List.of("ELECTION", "TOKEN", "LEADER", "SINCE", "LEASE", "NEXT", "CORDONED"),
                        List.of("job", "1", "a", "2026-11-20T12:00:00Z", "alive", "c b", "a b"),
                        List.of("other", "-", "-", "-", "-", "c", "-"));
        assertThat(at(Duration.ofSeconds(50)).run("status", "job").out()).contains("""
                        leader     a@host-7-9f3c, cordoned
                        """, """
                        next       c@host-7-9f3c, stands since 2026-11-20T12:00:00Z (50s ago)
                        next       b@host-7-9f3c, stands since 2026-11-20T12:00:00Z (50s ago), cordoned
                        cordoned   a by ada@desk: old disk, 2026-11-20T12:00:00Z (50s ago)
                        cordoned   b by ada@desk: new disk, 2026-11-20T12:00:00Z (50s ago)
                        """);
        assertThat(office.run("status", "job", "-o", "json").out())
                .contains("\"cordons\":[{\"whom\":\"a\",\"by\":\"ada@desk\",\"why\":\"old disk\","
                        + "\"at\":\"2026-11-20T12:00:00Z\"},{\"whom\":\"b\",")
                .containsPattern("\"candidates\":\\[\\{\"id\":\"c@[^}]*\"supports\":\\[]},"
                        + "\\{\"id\":\"a@[^}]*\"supports\":\\[],\"cordoned\":true},"
                        + "\\{\"id\":\"b@[^}]*\"supports\":\\[],\"cordoned\":true}]");
    }

    @Test
    void statusShowsVersionsAndZones() {
        office.stand("job", Office.candidate("a").withRank(new CandidateRank(0, "1.9", true, "us", "eu")));
        office.stand("job", Office.candidate("b").withRank(new CandidateRank(0, "1.9", true, "eu", "eu")));
        office.stand("job", Office.candidate("c").withRank(new CandidateRank(1, "1.8", false, "", "")));
        office.stand("job", Office.candidate("d").withRank(new CandidateRank(-1, "1.9", false, "", "eu")));

        assertThat(office.run("status", "job").out()).contains("""
                        next       c@host-7-9f3c, priority 1, version 1.8, stands since 2026-11-20T12:00:00Z
                        next       b@host-7-9f3c, version 1.9, oldest first, zone eu, stands since 2026-11-20T12:00:00Z
                        next       a@host-7-9f3c, version 1.9, oldest first, zone us and not eu, stands since 2026-11-20T12:00:00Z
                        next       d@host-7-9f3c, priority -1, version 1.9, not in zone eu, stands since 2026-11-20T12:00:00Z
                        """);
    }

    @Test
    void statusShowsWhatIsPlanned() {
        office.stand("job", "a");
        office.lead("job", "a");
        office.change(
                "job",
                record -> record.withPlanned(Optional.of(
                        new PlannedTransfer("ada@desk-1", "b", Office.NOON.plus(Duration.ofHours(3)), Office.NOON))));

        assertThat(at(Duration.ofSeconds(50)).run("status", "job").out())
                .contains("planned    transfer to b, not before 2026-11-20T15:00:00Z (in 2h), by ada@desk-1\n");
        assertThat(at(Duration.ofHours(4)).run("status", "job").out())
                .contains("planned    transfer to b, not before 2026-11-20T15:00:00Z, by ada@desk-1\n");
        assertThat(office.run("status", "job", "-o", "json").out())
                .contains("\"planned\":{\"to\":\"b\",\"notBefore\":\"2026-11-20T15:00:00Z\",\"by\":\"ada@desk-1\","
                        + "\"at\":\"2026-11-20T12:00:00Z\"}");
    }

    @Test
    void whoReadsARecordThatRequiresWhatIsUnknownIsToldSo() {
        office.stand("job", "a");
        office.lead("job", "a");
        office.vacate("job", EndReason.RESIGNED);
        office.change("job", record -> record.withRequires(Set.of(new Feature("tide"), new Feature("seal"))));
        String sentence =
                "incumbent: job requires [seal, tide], and this version does not know [seal, tide]: it reads the record, "
                        + "and neither stands nor writes; use a version that knows them\n";

        CommandRun status = office.run("status");
        CommandRun history = office.run("history", "job");
        CommandRun json = office.run("status", "-o", "json");

        assertThat(status.err()).isEqualTo(sentence);
        assertThat(status.out()).contains("job ");
        assertThat(history.err()).isEqualTo(sentence);
        assertThat(history.out()).contains("a@host-7-9f3c").contains("resigned");
        assertThat(json.out()).contains("\"requires\":[\"seal\",\"tide\"]");
        assertThat(json.code()).isZero();
    }

    @Test
    void statusInJsonShowsTheAttributesOfCandidatesAndOfTheRequest() {
        office.stand("job", "a");
        office.lead("job", "a");
        Extras extras = Extras.of(Map.of("zone", "eu 1", "rack", "7"));
        office.change(
                "job",
                record -> record.claimedBy(
                                2,
                                new Candidate(new CandidateId("b"), "b", "", extras),
                                record.lease().orElseThrow(),
                                record.leaseLength(),
                                Office.NOON)
                        .withRequest(Optional.of(new Request.Resign("r1", 2, extras))));

        CommandRun status = office.run("status", "-o", "json");

        assertThat(status.out())
                .contains(
                        "\"leader\":{\"id\":\"b\",\"name\":\"b\",\"address\":\"\",\"attributes\":{\"rack\":\"7\",\"zone\":\"eu 1\"}}",
                        "\"request\":{\"id\":\"r1\",\"term\":2,\"kind\":\"resign\",\"attributes\":{\"rack\":\"7\",\"zone\":\"eu 1\"}}");
    }

    @Test
    void aLeaderThatMissesItsRenewalsIsInJeopardyThenDead() {
        office.stand("job", "a");
        office.lead("job", "a");

        timeline.advance(Duration.ofSeconds(4));
        CommandRun late = office.run("status", "-o", "json");
        timeline.advance(Duration.ofSeconds(3));
        CommandRun dead = office.run("status");

        assertThat(late.out()).contains("\"leaseAlive\":true,\"jeopardy\":true");
        assertThat(dead.out()).contains("  dead  ").doesNotContain("alive");
    }

    @Test
    void aPrefixWithASlashMeansAllBeneathAndWithoutItOneElection() {
        for (String election : new String[] {"billing", "billing/closer", "billing/opener", "billings"}) {
            office.stand(election, "a");
        }

        assertThat(office.run("status", "billing/").out())
                .contains("billing/closer", "billing/opener")
                .doesNotContain("billings")
                .hasLineCount(3);
        assertThat(office.run("status", "billing").out())
                .contains("election   billing\n")
                .doesNotContain("billings");
        assertThat(office.run("status").out()).hasLineCount(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status nosuch",
                "history nosuch",
                "observe nosuch",
                "check nosuch --token 1",
                "wait nosuch --for vacant",
                "transfer nosuch --to a",
                "resign nosuch",
                "thaw nosuch",
                "fence retire nosuch --sink-id s1"
            })
    void anElectionThatNobodyKnowsIsSaidToBeNone(String line) {
        office.stand("job", "a");

        CommandRun run = office.run(line.split(" "));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("incumbent: there is no election nosuch here: no record, and no candidate\n");
    }

    @Test
    void inJsonItIsAnEmptyListToo() {
        CommandRun json = office.run("status", "nosuch", "-o", "json");

        assertThat(json.code()).isEqualTo(1);
        assertThat(json.out()).endsWith("\"elections\":[]}\n");
    }

    @Test
    void nothingBeneathAPrefixIsEmptyAndNoError() {
        CommandRun beneath = office.run("status", "nosuch/", "-o", "json");

        assertThat(beneath.code()).isZero();
        assertThat(beneath.out()).endsWith("\"elections\":[]}\n");
        assertThat(office.run("status").code()).isZero();
    }

    @Test
    void whereSomebodyStandsAndNobodyHasLedThereIsAnElectionAndNoTime() {
        office.stand("job", "a");

        assertThat(office.run("status", "job").code()).isZero();
        assertThat(office.run("status", "-o", "json").out()).contains("\"since\":null");
        assertThat(office.run("history", "job", "-o", "json").out()).isEqualTo("[]\n");
        assertThat(office.run("wait", "job", "--for", "vacant").out()).isEqualTo("-  job  token 0  vacant\n");
        assertThat(office.run("wait", "job", "--for", "vacant", "-o", "json").out())
                .endsWith("\"at\":null}\n");
    }

    @Test
    void aCoordinatorOfNoKnownKindIsToldAllKinds() {
        CommandRun run = office.run("status", "--at", "nosuch:x");

        assertThat(run.code()).isEqualTo(78);
        assertThat(run.err()).endsWith("known schemes are memory\n");
    }

    @Test
    void oneRecordThatCannotBeReadSpoilsNoOther() {
        office.stand("good", "a");
        office.lead("good", "a");
        office.stand("bad", "a");
        office.store.plantUnreadable(new ElectionName("bad"), "a later format");

        CommandRun status = office.run("status", "-o", "json");

        assertThat(office.run("status", "bad").out())
                .contains("unread ", "a later format", "next       a@host")
                .doesNotContain("nobody");
        assertThat(status.out()).contains("\"election\":\"good\",\"term\":1").contains("a later format");
        assertThat(status.code()).isIn(69, 78);
    }

    @ParameterizedTest
    @CsvSource({"1, 3, stale", "2, 0, current", "3, 4, newer"})
    void aTokenIsStaleCurrentOrNewer(long token, int code, String verdict) {
        office.stand("job", "a");
        office.lead("job", "a");
        office.vacate("job", EndReason.RESIGNED);
        office.lead("job", "a");

        CommandRun check = office.run("check", "job", "--token", Long.toString(token));

        assertThat(check.code()).isEqualTo(code);
        assertThat(check.out()).startsWith("token " + token + " of job is " + verdict);
    }

    @Test
    void theTokenOfALeaderThatIsGoneIsStale() {
        office.stand("job", "a");
        office.lead("job", "a");
        timeline.advance(Duration.ofSeconds(7));

        CommandRun check = office.run("check", "job", "--token", "1", "-o", "json");

        assertThat(check.code()).isEqualTo(3);
        assertThat(check.out())
                .isEqualTo("{\"election\":\"job\",\"token\":1,\"verdict\":\"stale\",\"term\":1,\"leader\":null}\n");
    }

    @ParameterizedTest
    @CsvSource({"0", "-1", "seven", "9223372036854775808", "''"})
    void whatIsNoTokenIsRefused(String token) {
        assertThat(office.run("check", "job", "--token", token).code()).isEqualTo(64);
    }

    @Test
    void historyTellsEachPastTermAndWhyItEnded() {
        office.stand("job", "a");
        office.stand("job", "b");
        office.lead("job", "a");
        office.vacate("job", EndReason.LEASE_LOST);
        office.lead("job", "b");
        office.vacate("job", EndReason.TRANSFERRED);

        CommandRun text = at(Duration.ofHours(3)).run("history", "job");
        CommandRun json = office.run("history", "job", "-o", "json");

        assertThat(text.out()).isEqualTo("""
                        TOKEN  LEADER         FROM                           LASTED  REASON
                        1      a@host-7-9f3c  2026-11-20T12:00:00Z (3h ago)  60s     lost
                        2      b@host-7-9f3c  2026-11-20T12:00:00Z (3h ago)  60s     transferred
                        """);
        assertThat(json.out())
                .startsWith("[{\"term\":1,\"leader\":{\"id\":\"a@host-7-9f3c\"")
                .contains("\"reason\":\"lost\"},{\"term\":2")
                .endsWith("\"reason\":\"transferred\"}]\n");
    }
}
