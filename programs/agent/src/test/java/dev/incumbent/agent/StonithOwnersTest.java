package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.FenceAgent;
import dev.incumbent.Stonith;
import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.agent.elections.HostStonith;
import dev.incumbent.agent.elections.Prefix;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Feature;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.Holders;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.NodeBoot;
import dev.incumbent.model.Revision;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Owners of two hosts whose agents have former leaders turned off, through HTTP. */
@Tag("patient")
@Timeout(60)
class StonithOwnersTest {
    private static final ElectionName JOB = new ElectionName("disk/job");
    private static final String PLAIN = "/v1/elections/job/campaign";
    private static final String CAMPAIGN = "/v1/elections/disk%2Fjob/campaign";
    private static final NodeBoot FORMER = new NodeBoot("host-0", "boot-0", "1:2:3");

    @TempDir
    private Path folder;

    private final SystemTimeline clocks = new SystemTimeline();
    private final MemoryStore store = new MemoryStore(clocks);
    private final List<String> turnedOff = new CopyOnWriteArrayList<>();
    private volatile boolean works = true;
    private Process process;
    private AgentAtWork one;
    private AgentAtWork two;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder("sleep", "600").start();
        one = agent("host-1");
        two = agent("host-2");
    }

    private AgentAtWork agent(String node) throws IOException {
        FenceAgent agent = (holder, window) -> {
            turnedOff.add(node + " turns off " + holder.on().node());
            return works
                    ? CompletableFuture.completedFuture(HolderProof.Kind.OFF)
                    : CompletableFuture.failedFuture(new IOException("no route"));
        };
        Stonith how = new Stonith(new NodeBoot(node, "boot-1", node + ":7"), Duration.ofSeconds(5), agent);
        return new AgentAtWork(
                Files.createDirectory(folder.resolve(node)),
                AgentAtWork.LONG_LEASE,
                clocks,
                store,
                new HostStonith(how, Set.of(new Prefix("disk/"))));
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
        one.close();
        two.close();
        clocks.close();
    }

    @Test
    void whoMayStillActIsTurnedOffBeforeAnOwnerLeads() {
        plantAFormerLeader();

        LocalOwner owner = stand(one, process);
        long token = owner.awaitLead().at("token").number();

        assertThat(turnedOff).containsExactly("host-1 turns off host-0");
        assertThat(nodes()).containsExactly("host-1");
        assertThat(owner.beat("", "{\"stopped\":" + token + "}").status()).isEqualTo(200);
        var unused = owner.leave();
        Await.until("it has left in order", () -> nodes().isEmpty());
    }

    @Test
    void whereThatFailsNoOwnerLeadsAndTheDebtStays() {
        works = false;
        plantAFormerLeader();

        LocalOwner owner = stand(one, process);
        Await.until("it has tried", () -> {
            assertThat(owner.beat().json().at("leads").flag()).isFalse();
            return !turnedOff.isEmpty() && record().leader().isEmpty();
        });

        assertThat(nodes()).containsExactly("host-0");
        assertThat(owner.beat().json().at("leads").flag()).isFalse();
    }

    @Test
    void anOwnerNamesTheProcessThatDoesTheWork() {
        Answer unnamed = one.socket().post(CAMPAIGN, "{\"ttlMs\":3000}");

        assertThat(unnamed.status()).isEqualTo(400);
        assertThat(unnamed.sentence())
                .isEqualTo(
                        "this agent has former leaders of disk/job turned off, so it must see when the work has stopped:"
                                + " name the process that does it by \"pid\"");
        assertThat(one.socket().post(PLAIN, "{\"ttlMs\":3000}").status()).isEqualTo(201);
        assertThat(one.socket().post(PLAIN, body(process)).sentence()).contains("and with nothing else");
    }

    /** Its word would have been enough, but it says none. */
    @Test
    void onceTheProcessOfAnOwnerHasEndedItHasLeftAndNothingIsTurnedOff() {
        var unused = stand(one, process).awaitLead();
        assertThat(nodes()).containsExactly("host-1");

        process.destroyForcibly();
        Await.until("its host is listed no more", () -> nodes().isEmpty());

        assertThat(turnedOff).isEmpty();
    }

    /** A plain owner would be given up after 3 s. */
    @Test
    void anOwnerThatIsSilentWhileItsProcessRunsKeepsTheTerm() throws IOException {
        var unused = stand(one, process).awaitLead();
        Process other = new ProcessBuilder("sleep", "600").start();
        try {
            LocalOwner next = stand(two, other);
            Await.until("it is withdrawn", () -> {
                assertThat(next.beat().json().at("leads").flag()).isFalse();
                return owners(one).isEmpty();
            });
            assertThat(next.beat("?wait=1s", "").json().at("leads").flag()).isFalse();
            assertThat(nodes()).containsExactly("host-1");

            process.destroyForcibly();
            assertThat(next.awaitLead().at("token").number()).isEqualTo(2);
            assertThat(turnedOff).as("its work has stopped").isEmpty();
        } finally {
            other.destroyForcibly();
        }
    }

    private void plantAFormerLeader() {
        LeaderRecord record = LeaderRecord.EMPTY
                .vacated(3, Instant.EPOCH)
                .withRequires(Set.of(Feature.STONITH))
                .withHolders(Holders.of(List.of(new Holder(3, new CandidateId("ada@h0-7-x"), FORMER))));
        one.coordinator
                .swap(JOB, Revision.ABSENT, record.written("n1"))
                .toCompletableFuture()
                .join();
    }

    private static LocalOwner stand(AgentAtWork agent, Process process) {
        Answer stood = agent.socket().post(CAMPAIGN, body(process));
        assertThat(stood.status()).as(stood.toString()).isEqualTo(201);
        Json told = stood.json();
        return agent.knows(
                new LocalOwner(agent.socket(), CAMPAIGN + "/" + told.at("id").text()));
    }

    private static String body(Process process) {
        return "{\"ttlMs\":3000,\"pid\":" + process.pid() + "}";
    }

    private static List<Json> owners(AgentAtWork agent) {
        return agent.socket()
                .get("/v1/elections/disk%2Fjob")
                .json()
                .at("here")
                .at("owners")
                .items();
    }

    private List<String> nodes() {
        return record().holders().all().stream()
                .map(holder -> holder.on().node())
                .toList();
    }

    private LeaderRecord record() {
        Reading reading =
                one.coordinator.read(Set.of(JOB)).toCompletableFuture().join().get(JOB);
        return reading instanceof Reading.Found found ? found.record().record() : LeaderRecord.EMPTY;
    }
}
