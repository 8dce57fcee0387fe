package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.PastTerm;
import dev.incumbent.outcome.RequestedTransfer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who leads next, and how soon. */
@Tag("realtime")
@Timeout(120)
class EndsOfTermsTest {
    @TempDir
    Path folder;

    /** A term that ends without a resignation is held to have failed, and each one makes the agent wait for longer. */
    @Test
    void shortTermsMakeNobodyWait() throws IOException {
        try (AgentAtWork work = new AgentAtWork(folder, AgentAtWork.LONG_LEASE)) {
            LocalOwner owner = work.owner("job", AgentAtWork.LONG_TTL);
            long began = System.nanoTime();
            for (int term = 0; term < 4; term++) {
                owner.beat("", "{\"stopped\":" + owner.awaitLead().at("token").number() + "}");
            }
            owner.awaitLead();

            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)).isLessThan(10_000);
        }
    }

    /** The agent does not resign within a transfer: a history that names another reason would mislead whoever reads it. */
    @Test
    void aTransferEndsATermAsATransfer() throws Exception {
        try (AgentPair agents = new AgentPair(folder, AgentAtWork.LONG_LEASE)) {
            LocalOwner first = agents.one.owner("job", AgentAtWork.LONG_TTL);
            first.awaitLead();
            LocalOwner second = agents.two.owner("job", AgentAtWork.LONG_TTL);
            String to = agents.candidate("job", 1);
            ElectionAdmin admin =
                    ElectionAdmin.over(agents.two.coordinator, agents.clocks, new ElectionName("job"), "ann@host");

            CompletableFuture<RequestedTransfer> asked =
                    admin.transferTo(to, Duration.ofSeconds(30)).toCompletableFuture();
            Await.until("the owner hears of it", () -> {
                second.beat();
                return !first.beat().json().at("leads").flag();
            });
            first.leave();
            second.awaitLead();

            assertThat(asked.get(30, TimeUnit.SECONDS)).isInstanceOf(RequestedTransfer.Transferred.class);
            assertThat(admin.status()
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS)
                            .observed()
                            .record()
                            .history())
                    .extracting(PastTerm::reason)
                    .as("an owner that leaves may close the candidacy first, and never resigns")
                    .isSubsetOf(EndReason.TRANSFERRED, EndReason.CLOSED)
                    .hasSize(1);
        }
    }

    @Test
    void anAgentWhoseOwnersHaveLeftStandsNoMore() throws IOException {
        try (AgentPair agents = new AgentPair(folder, AgentAtWork.LONG_LEASE)) {
            LocalOwner first = agents.one.owner("job", AgentAtWork.LONG_TTL);
            first.awaitLead();
            LocalOwner second = agents.two.owner("job", AgentAtWork.LONG_TTL);
            agents.candidate("job", 1);

            second.leave();

            Await.until("one stands", () -> first.beat().json().at("leads").flag() && agents.count("job") == 1);
        }
    }
}
