package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.agent.elections.HostWatchdog;
import dev.incumbent.servers.PretendedWatchdog;
import dev.incumbent.supervisor.SupervisorBinary;
import dev.incumbent.supervisor.WatchdogHolder;
import dev.incumbent.supervisor.WatchdogHolder.Told;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Owners under the watchdog of the host, through HTTP, over a device that is pretended. */
@Tag("patient")
class WatchdogTest {
    private static final String BATCH = "/v1/elections/batch/campaign";

    @TempDir
    private Path folder;

    private PretendedWatchdog dog;

    @SuppressWarnings("NullAway.Init") // start() makes an agent
    private HostWatchdog watchdog;

    private AgentAtWork work;

    @BeforeEach
    void start() throws Exception {
        Path program = SupervisorBinary.findOrBuild(Path.of("target/supervisor").toAbsolutePath());
        dog = PretendedWatchdog.in(Files.createDirectory(folder.resolve("dog")), program);
        work = agent("first");
    }

    private AgentAtWork agent(String place) throws IOException {
        watchdog = HostWatchdog.open(dog.program(), dog.device(), folder);
        return new AgentAtWork(Files.createDirectory(folder.resolve(place)), watchdog);
    }

    @AfterEach
    void end() {
        work.close();
    }

    @Test
    void theDeviceCountsFromBeforeTheOwnerLeadsUntilItHasStopped() throws IOException {
        LocalOwner owner = stand("", 20_000); // it stands again, and is guarded again until it is missed
        assertThat(dog.calls()).as("it waits for its turn").isEmpty();

        long token = owner.awaitLead().at("token").number();
        assertThat(dog.firesAtBoot()).isPositive();
        Answer told = page();
        assertThat(told.json().at("counts").flag()).isTrue();
        assertThat(told.json().at("fed").flag()).isTrue();
        assertThat(told.json().at("firesInMs").number()).isBetween(1L, AgentAtWork.LONG_LEASE.toMillis());
        assertThat(told.body()).contains("\"works\":[{\"election\":\"batch\",\"name\":\"test\"}]");

        var unused = owner.beat("", "{\"stopped\":" + token + "}");
        Await.until("the device is stopped", () -> fires() == 0);
        Await.until("the page tells so", () -> !page().json().at("counts").flag());
    }

    @Test
    void anOwnerThatLeavesHasStopped() {
        LocalOwner owner = stand("");
        var leads = owner.awaitLead();
        assertThat(leads.at("token").number()).isPositive();

        var unused = owner.leave();
        Await.until("the device is stopped", () -> fires() == 0);
    }

    @Test
    void anOwnerThatMissedItsTimeSaysThatItHasStoppedByDelete() {
        LocalOwner owner = stand("", 3_000);
        var leads = owner.awaitLead();
        assertThat(leads.at("token").number()).isPositive();

        Await.until("it is missed", () -> !page().json().at("fed").flag());
        Await.until("it is withdrawn", () -> owner.beat().status() == 404);
        assertThat(owner.beat().body()).contains("stop, DELETE this candidacy, then stand again");
        assertThat(fires()).isPositive();
        assertThat(owner.leave().status()).isEqualTo(404);
        Await.until("the device is stopped", () -> fires() == 0);
    }

    @Test
    void anOwnerThatWasNeverToldThatItLeadsNeedNotSayThatItHasStopped() {
        LocalOwner owner = stand("", 3_000);
        Await.until("the device counts", () -> fires() > 0);

        Await.until("the device is stopped", () -> fires() == 0);
        assertThat(owner.beat().status()).isEqualTo(404);
    }

    @Test
    void anOwnerWhoseProcessHasEndedHasStopped() throws IOException {
        Process process = new ProcessBuilder("sleep", "600").start();
        try {
            LocalOwner owner = stand(",\"pid\":" + process.pid());
            var unused = owner.awaitLead();
            assertThat(page().body()).contains("\"pid\":" + process.pid());
        } finally {
            process.destroyForcibly();
        }
        Await.until("the device is stopped", () -> fires() == 0);
    }

    @Test
    void anotherAgentFindsWhatCountsAndHearsThatTheWorkHasStopped() throws IOException {
        LocalOwner owner = stand("");
        var leads = owner.awaitLead();
        String stopped = "{\"stopped\":" + leads.at("token").number() + "}";
        long before = dog.firesAtBoot();
        watchdog.close(); // all that the holder sees of the end of an agent

        try (AgentAtWork next = agent("second")) {
            assertThat(fires()).as("it was not fed").isEqualTo(before);
            Await.until("it counts", () -> page(next).json().at("counts").flag());
            assertThat(page(next).json().at("fed").flag()).isFalse();
            assertThat(next.socket().post(owner.address(), stopped).status()).isEqualTo(404);
            Await.until("the device is stopped", () -> fires() == 0);
        }
    }

    @Test
    void anAgentThatIsToldToEndStopsTheDeviceOnceTheOwnerHasStopped() throws Exception {
        LocalOwner owner = stand("");
        long token = owner.awaitLead().at("token").number();

        Thread ending = new Thread(() -> work.agent.close());
        ending.start();
        Await.until(
                "the owner hears of it", () -> !owner.beat().json().at("leads").flag());
        assertThat(fires()).isPositive();
        var unused = owner.beat("", "{\"stopped\":" + token + "}");
        ending.join();
        assertThat(fires()).isZero();
    }

    @Test
    void theWatchdogIsARightOfItsOwn() throws IOException {
        String body = "{\"ttlMs\":5000,\"watchdog\":true}";
        String billing = "/v1/elections/billing%2Fcloser/campaign";

        Answer refused = work.port().bearing(AgentAtWork.STANDS).post(billing, body);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body()).contains("may not have the watchdog of the host guard its work");
    }

    @Test
    void aProcessThatIsNotThereIsRefused() {
        Answer refused = work.socket().post(BATCH, "{\"ttlMs\":5000,\"watchdog\":true,\"pid\":999999999}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("this host has no process 999999999 now");
        assertThat(work.socket().post(BATCH, "{\"ttlMs\":5000,\"pid\":1}").body())
                .contains("pid goes with");
        assertThat(work.socket().post(BATCH, "{\"ttlMs\":5000,\"watchdog\":1}").body())
                .contains("watchdog is true or false");
    }

    @Test
    void whereTheDeviceFailsItsOwnerDoesNotLead() throws IOException {
        dog.tells("state", "active");
        LocalOwner owner = stand("");

        Await.until("it is withdrawn", () -> owner.beat().status() == 404);
        Answer refused = work.socket().post(BATCH, "{\"ttlMs\":5000,\"watchdog\":true}");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("it counts already");
        assertThat(page().json().at("trouble").text()).startsWith("it counts already");
        dog.tells("state", "inactive");
    }

    @Test
    void aHolderThatWasKilledWhileTheDeviceWasStoppedIsReplaced() throws Exception {
        ProcessHandle first = holder().orElseThrow();
        first.destroyForcibly();
        Await.until(
                "another process holds it",
                () -> holder().filter(one -> !one.equals(first)).isPresent()
                        && !page().json().has("trouble"));

        LocalOwner owner = stand("");
        assertThat(owner.awaitLead().at("token").number()).isPositive();
        assertThat(dog.firesAtBoot()).isPositive();
    }

    @Test
    void aHolderThatWasKilledWhileTheDeviceCountedLeavesItAlone() throws Exception {
        LocalOwner owner = stand("");
        long token = owner.awaitLead().at("token").number();
        List<String> before = dog.calls();
        holder().orElseThrow().destroyForcibly();

        Await.until(
                "its owner must stop", () -> !owner.beat().json().at("leads").flag());
        Await.until("it says why", () -> page().body().contains("it counts already: another process holds it"));
        Answer refused = work.socket().post(BATCH, "{\"ttlMs\":5000,\"watchdog\":true}");
        assertThat(refused.status()).isEqualTo(503);
        var unused = owner.beat("", "{\"stopped\":" + token + "}");
        assertThat(dog.calls()).as("nobody opened it").isEqualTo(before);
        dog.tells("state", "inactive");
    }

    @Test
    void workThatTheHolderCannotNameIsWaitedFor() throws Exception {
        work.close();
        Path socket = folder.resolve("watchdog-dog.sock");
        BlockingQueue<Told> told = new LinkedBlockingQueue<>();
        try (WatchdogHolder before = WatchdogHolder.open(dog.program(), dog.device(), socket, System::nanoTime)) {
            before.hear(told::add);
            before.remember("b:3", "x".repeat(5_000));
            before.count(System.nanoTime() + 60_000_000_000L, System.nanoTime());
            assertThat(told.take().kind()).isEqualTo(WatchdogHolder.Kind.COUNTS);
        }

        try (AgentAtWork next = agent("second")) {
            Await.until("it counts", () -> page(next).json().at("counts").flag());
            assertThat(page(next).json().at("fed").flag()).isFalse();
            holder().orElseThrow().destroyForcibly();
        }
        assertThat(fires()).isPositive();
    }

    @Test
    void itsMetersTellOfIt() throws IOException {
        assertThat(work.socket().get("/metrics").body()).contains("incumbent_watchdog_counting 0.0");
        LocalOwner owner = stand("");
        var unused = owner.awaitLead();

        assertThat(work.socket().get("/metrics").body())
                .contains("incumbent_watchdog_counting 1.0", "incumbent_watchdog_works 1.0")
                .contains("incumbent_watchdog_remaining_seconds ", "incumbent_watchdog_feedings_total 1.0");
    }

    @Test
    void anAgentWithoutAWatchdogGuardsNobody() throws IOException {
        work.close();
        work = new AgentAtWork(folder.resolve("first"), AgentAtWork.LONG_LEASE);

        assertThat(work.socket()
                        .post(BATCH, "{\"ttlMs\":5000,\"watchdog\":true}")
                        .body())
                .contains("this agent has no watchdog");
        assertThat(page().status()).isEqualTo(404);
    }

    private LocalOwner stand(String more) {
        return stand(more, AgentAtWork.LONG_TTL);
    }

    private LocalOwner stand(String more, int ttlMs) {
        Answer stood =
                work.socket().post(BATCH, "{\"ttlMs\":" + ttlMs + ",\"name\":\"test\",\"watchdog\":true" + more + "}");
        assertThat(stood.status()).as(stood.body()).isEqualTo(201);
        return work.knows(new LocalOwner(
                work.socket(), BATCH + "/" + stood.json().at("id").text()));
    }

    private Optional<ProcessHandle> holder() {
        return ProcessHandle.allProcesses()
                .filter(one -> one.info().commandLine().orElse("").contains(" " + folder.resolve("watchdog-dog.sock")))
                .findAny();
    }

    private Answer page() {
        return page(work);
    }

    private static Answer page(AgentAtWork agent) {
        return agent.socket().get("/v1/watchdog");
    }

    private long fires() {
        try {
            return dog.firesAtBoot();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
