package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.alarms.AlarmCommand;
import dev.incumbent.agent.elections.HostSetup;
import dev.incumbent.agent.http.Listen;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A coordinator is restored to an older copy beside the one that goes on, and both have leaders of one sink: each agent that can see it raises an alarm. */
@Tag("realtime")
@Timeout(120)
class RestoredApartTest {
    private static final Duration LEASE = Duration.ofSeconds(4);

    private final SystemTimeline time = new SystemTimeline();
    private final MemoryStore first = new MemoryStore(time);
    private final MemoryStore restored = new MemoryStore(time);
    private final dev.incumbent.fence.memory.MemoryStore ledger =
            new dev.incumbent.fence.memory.MemoryStore(new SinkId("ledger"));
    private final Timing timing = Timing.ofLease(LEASE);
    private final MemorySink sink = new MemorySink(ledger, time, timing.requestTimeout());
    private final MemoryCoordinator one = connect(first);
    private final MemoryCoordinator other = connect(restored);

    @TempDir
    Path folder;

    @AfterEach
    void end() {
        one.close();
        other.close();
        sink.close();
        time.close();
    }

    private MemoryCoordinator connect(MemoryStore store) {
        return MemoryCoordinator.connect(store, new FaultyWire(), time, timing.requestTimeout());
    }

    private HostAgent agent(String name, MemoryCoordinator coordinator, Optional<AlarmCommand> onAlarm)
            throws IOException {
        return HostAgent.start(
                new HostSetup(coordinator, timing, Optional.of(name), "", List.of(sink)),
                new HostAgent.Access(
                        List.of(new Listen.Unix(folder.resolve(name + ".sock"))),
                        Optional.empty(),
                        HostAgent.ownUser()),
                onAlarm);
    }

    @Test
    void twoCoordinatorsRestoredApartAreAnAlarmWithBothValues() throws IOException {
        Path ran = folder.resolve("ran");
        AlarmCommand command = new AlarmCommand("cat >> " + ran, said -> {});
        try (HostAgent here = agent("here", one, Optional.empty());
                HostAgent there = agent("there", other, Optional.of(command))) {
            PlainHttp mine = PlainHttp.to(here.listens().get(0));
            LocalOwner leaving = LocalOwner.stand(mine, "job", 3000);
            leaving.awaitLead();
            useUpLeaseIds();
            restored.restore(first.backup());
            leaving.leave();
            LocalOwner leads = LocalOwner.stand(mine, "job", 3000);
            long token = leads.awaitLead().at("token").number();
            assertThat(token).isEqualTo(2);
            assertThat(alarms(mine)).as("all is well").isEmpty();

            PlainHttp theirs = PlainHttp.to(there.listens().get(0));
            LocalOwner rival = LocalOwner.stand(theirs, "job", 3000);
            Await.until("the agent of the restored coordinator tells", () -> {
                leads.beat();
                rival.beat();
                return alarms(theirs).stream()
                        .anyMatch(alarm -> alarm.at("kind").text().equals("term-refused"));
            });

            Json alarm = alarms(theirs).stream()
                    .filter(it -> it.at("kind").text().equals("term-refused"))
                    .findFirst()
                    .orElseThrow();
            assertThat(alarm.at("evidence").items()).hasSize(2);
            assertThat(alarm.at("evidence").items().get(0).at("value").text()).startsWith("gave up term ");
            assertThat(alarm.at("evidence").items().get(1).at("value").text())
                    .startsWith("mark ")
                    .contains(" of candidate:here@");
            assertThat(theirs.get("/metrics").body())
                    .contains("incumbent_alarms{kind=\"term-refused\"} 1.0\n")
                    .contains("incumbent_alarms_raised_total{kind=\"term-refused\"} 1.0\n");
            Await.until("the command ran", () -> read(ran).contains("\"kind\":\"term-refused\""));
            leads.leaveIfThere();
            rival.leaveIfThere();
        }
    }

    /** A store in memory numbers its leases: the restored one must not give away again what the copy has, as no real store does. */
    private void useUpLeaseIds() {
        for (int i = 0; i < 10; i++) {
            other.grant(new CandidateId("nobody-" + i), LEASE)
                    .toCompletableFuture()
                    .join();
        }
    }

    private static List<Json> alarms(PlainHttp http) {
        return http.get("/v1/alarms").json().at("open").items();
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
