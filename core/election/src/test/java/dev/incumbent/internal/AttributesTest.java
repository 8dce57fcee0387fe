package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.beats.BeatTransport;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.model.Extras;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** All that a candidate may tell of itself has room beside each other. */
class AttributesTest {
    @Test
    void aCandidateThatTellsAllThereIsHasAsManyAttributesAsThereMayBe() {
        BeatTransport transport = (BeatTransport) Proxy.newProxyInstance(
                BeatTransport.class.getClassLoader(),
                new Class<?>[] {BeatTransport.class},
                (self, what, with) -> "a:7");
        CandidateRank rank = new CandidateRank(5, "1.4.2", true, "eu-1", "eu-2");

        Candidate all = Hearing.heardAt(transport, new Candidate(new CandidateId("a@h-1-2"), "a", "").withRank(rank))
                .withPosition(7)
                .withLeads(3);

        assertThat(all.extras().attributes()).hasSize(Extras.MOST_ATTRIBUTES);
        assertThat(all.rank()).isEqualTo(rank);
        assertThat(all.position()).hasValue(7);
        assertThat(all.leads()).isEqualTo(3);
    }
}
