package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.wire.Json;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the HTTP tells of alarms, to whom, and what writers report through it. */
@Tag("realtime")
@Timeout(90)
class AlarmsTest extends WithAgent {
    private static final String STALE = "/v1/elections/billing%2Fcloser/stale-writes";

    @Test
    void aReportedRefusalIsAnAlarmForWhoeverMayReadItsElection() {
        PlainHttp writer = work.port().bearing(AgentAtWork.STANDS);
        assertThat(alarms(writer)).isEmpty();

        Answer taken = writer.post(STALE, "{\"token\":6,\"sink\":\"ledger\",\"inForce\":\"7 of candidate:x\"}");
        assertThat(taken.status()).isEqualTo(200);
        assertThat(writer.post("/v1/elections/billing%2Fother/stale-writes", "{\"token\":1}")
                        .status())
                .isEqualTo(200);
        assertThat(work.socket()
                        .post("/v1/elections/job/stale-writes", "{\"token\":1}")
                        .status())
                .isEqualTo(200);

        Await.until("it is an alarm", () -> alarms(work.socket()).size() == 3);
        List<Json> own = alarms(writer);
        assertThat(own)
                .extracting(alarm -> alarm.at("election").text())
                .containsExactly("billing/closer", "billing/other");
        assertThat(own.get(0).at("sentence").text())
                .startsWith("billing/closer: sink ledger: token 6 refused as stale, by the mark 7 of candidate:x;"
                        + " record: term 0, led by nobody; ");
        assertThat(writer.get("/v1/alarms").json().has("unlisted")).isFalse();
        assertThat(work.socket().get("/v1/alarms").json().at("unlisted").number())
                .isZero();
        assertThat(work.socket().get("/metrics").body()).contains("incumbent_alarms{kind=\"stale-write\"} 3.0\n");
    }

    @Test
    void aStreamTellsTheAlarmsOfItsElection() {
        work.socket().post(STALE, "{\"token\":6}");
        Await.until("it is an alarm", () -> alarms(work.socket()).size() == 1);
        try (EventReader reader = EventReader.of(work.socket(), "billing/closer")) {
            Await.until(
                    "it is told",
                    () -> reader.events().stream()
                            .anyMatch(event -> event.name().equals("alarm")
                                    && event.json().at("kind").text().equals("stale-write")));
        }
    }

    @Test
    void aReportNeedsTheRightToStandAndIsClear() {
        PlainHttp reader = work.port().bearing(AgentAtWork.READS);
        assertThat(reader.post(STALE, "{\"token\":6}").status()).isEqualTo(403);
        assertThat(work.port().post(STALE, "{\"token\":6}").status()).isEqualTo(401);
        assertThat(work.port().get("/v1/alarms").status()).isEqualTo(401);
        for (String unclear : List.of(
                "{}",
                "{\"token\":0}",
                "{\"token\":1,\"sink\":\"\"}",
                "{\"token\":1,\"sink\":7}",
                "{\"token\":1,\"sink\":\"a\\u0007\"}",
                "{\"token\":1,\"inForce\":\"" + "x".repeat(201) + "\"}",
                "{\"token\":1,\"other\":1}")) {
            assertThat(work.socket().post(STALE, unclear).status()).as(unclear).isEqualTo(400);
        }
        assertThat(alarms(work.socket())).isEmpty();
    }

    private static List<Json> alarms(PlainHttp http) {
        return http.get("/v1/alarms").json().at("open").items();
    }
}
