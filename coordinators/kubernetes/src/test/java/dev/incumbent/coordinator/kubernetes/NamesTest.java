package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {
    private static final String LEGAL = "[a-z0-9]([-a-z0-9.]*[a-z0-9])?";

    @Test
    void aNameThatKubernetesTakesIsKept() {
        for (String name : List.of("billing", "billing-closer", "a.b-c.9")) {
            assertThat(Names.of(new ElectionName(name))).isEqualTo(name);
        }
    }

    @Test
    void anyOtherKeepsWhatPeopleCanReadOfItAndBearsAHash() {
        assertThat(Names.of(new ElectionName("billing/closer"))).isEqualTo("billing-closer-xaa4be4934bb1557f");
    }

    @Test
    void everyNameIsLegalAndNoTwoAreTheSame() {
        List<String> names = List.of(
                "a/b",
                "a-b",
                "a_b",
                "A-B",
                "-a-b",
                "a-b-",
                "a..b",
                "_",
                "-",
                "...a",
                "x".repeat(255),
                "x".repeat(254) + "y",
                "x".repeat(201));

        List<String> objects =
                names.stream().map(ElectionName::new).map(Names::of).toList();

        assertThat(objects)
                .doesNotHaveDuplicates()
                .allSatisfy(object -> assertThat(object)
                        .matches(LEGAL)
                        .hasSizeLessThanOrEqualTo(253)
                        .doesNotContain("..", ".-", "-."));
    }

    @Test
    void anElectionNamedLikeAHashedOneIsHashedItself() {
        String hashed = Names.of(new ElectionName("billing/closer"));

        assertThat(Names.of(new ElectionName(hashed))).isNotEqualTo(hashed);
        assertThat(Names.of(new ElectionName(Names.freshSession().value())))
                .doesNotMatch("session-[0-9a-f]{16}-x[0-9a-f]{16}");
    }

    @Test
    void aCandidateHasAnObjectInEachElection() {
        CandidateId ada = new CandidateId("Ada@host-1-x" + "y".repeat(300));

        String one = Names.of(new ElectionName("a"), ada);
        String other = Names.of(new ElectionName("b"), ada);

        assertThat(List.of(one, other))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches(LEGAL) && name.length() <= 253);
    }

    @Test
    void onlyWhatMayBeOneOfOurSessionsIsAskedFor() {
        assertThat(Names.isSession(Names.freshSession())).isTrue();
        assertThat(Names.isSession(new LeaseId("kube-scheduler"))).isFalse();
        assertThat(Names.isSession(new LeaseId("../pods/x"))).isFalse();
    }
}
