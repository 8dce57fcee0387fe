package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which disks take part, and which are refused. */
final class AdmissionTest {
    private static final List<Member> MEMBERS =
            List.of(Member.of("n1=h1:7400"), Member.of("n2=h2:7400"), Member.of("n3=h3:7400"));
    private static final Roll FORMATTED =
            new Roll("c1", Map.of("n1", disk("d1", 40), "n2", disk("d2", 40), "n3", disk("d3", 40)));

    @Test
    void emptyDisksBeginOnlyTogetherAndComeToOneName() {
        Marker one = empty("n1", "d1");
        Map<String, Roll> others =
                Map.of("n2", empty("n2", "d2").roll(), "n3", empty("n3", "d3").roll());

        assertThat(Admission.of(one, MEMBERS, Map.of("n2", empty("n2", "d2").roll())))
                .isInstanceOf(Admission.Wait.class);
        Admission first = Admission.of(one, MEMBERS, others);
        Admission second = Admission.of(
                empty("n2", "d2"),
                MEMBERS,
                Map.of("n1", one.roll(), "n3", empty("n3", "d3").roll()));

        assertThat(first).isInstanceOf(Admission.Admitted.class).isEqualTo(second);
    }

    @Test
    void anEmptyDiskThatAllKnowGoesOnWhereItsStartWasCutOff() {
        assertThat(Admission.of(empty("n1", "d1"), MEMBERS, Map.of("n2", FORMATTED.with("n1", disk("d1", 0)))))
                .isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void aWipedDiskIsRefusedByAnyoneWhoKnowsItsLast() {
        assertRefused(Admission.of(empty("n1", "d9"), MEMBERS, Map.of("n2", FORMATTED)), "wiped or replaced");
    }

    @Test
    void anOlderCopyIsRefused() {
        Roll older = FORMATTED.with("n1", disk("d1", 39));

        assertRefused(
                Admission.of(new Marker("n1", "d1", older), MEMBERS, Map.of("n2", FORMATTED)), "put back from a copy");
    }

    @Test
    void aDiskOfAnotherQuorumIsRefused() {
        assertRefused(
                Admission.of(new Marker("n1", "d1", FORMATTED.inCluster("c2")), MEMBERS, Map.of("n2", FORMATTED)),
                "belongs to the quorum c2");
    }

    @Test
    void whoIsNoMemberIsRefused() {
        Map<String, Roll.Disk> two = new TreeMap<>(FORMATTED.disks());
        two.remove("n1");

        assertRefused(
                Admission.of(empty("n1", "d1"), MEMBERS, Map.of("n2", new Roll("c1", two))), "knows of no member n1");
    }

    @Test
    void aUsedDiskWaitsForAMajority() {
        Marker used = new Marker("n1", "d1", FORMATTED);

        assertThat(Admission.of(used, MEMBERS, Map.of())).isInstanceOf(Admission.Wait.class);
        assertThat(Admission.of(used, MEMBERS, Map.of("n3", FORMATTED))).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void ofOneDiskTheLaterBeatAndOfTwoTheLaterGenerationIsKnown() {
        Roll behind = FORMATTED.with("n1", disk("d1", 30));
        Roll replaced = FORMATTED.with("n1", new Roll.Disk(2, "d7", 1));

        assertThat(behind.merged(FORMATTED)).isEqualTo(FORMATTED);
        assertThat(FORMATTED.merged(behind)).isEqualTo(FORMATTED);
        assertThat(FORMATTED.merged(replaced)).isEqualTo(replaced);
        assertThat(Roll.of(replaced.lines())).isEqualTo(replaced);
    }

    private static Marker empty(String member, String disk) {
        return new Marker(member, disk, Roll.EMPTY.with(member, disk(disk, 0)));
    }

    private static Roll.Disk disk(String id, long beats) {
        return new Roll.Disk(1, id, beats);
    }

    private static void assertRefused(Admission admission, String why) {
        assertThat(admission)
                .isInstanceOfSatisfying(
                        Admission.Refused.class, it -> assertThat(it.why()).contains(why));
    }
}
