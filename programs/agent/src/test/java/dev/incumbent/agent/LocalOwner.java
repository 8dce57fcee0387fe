package dev.incumbent.agent;

import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.wire.Json;
import java.time.Duration;

/** A program of the host that stands through the agent. */
record LocalOwner(PlainHttp http, String address) {
    static LocalOwner stand(PlainHttp http, String election, int ttlMillis) {
        String address = "/v1/elections/" + election.replace("/", "%2F") + "/campaign";
        Answer stood = http.post(address, "{\"ttlMs\":" + ttlMillis + ",\"name\":\"test\"}");
        if (stood.status() != 201) {
            throw new AssertionError(stood.toString());
        }
        return new LocalOwner(http, address + "/" + stood.json().at("id").text());
    }

    Answer beat() {
        return http.post(address, "");
    }

    Answer beat(String query, String body) {
        return http.post(address + query, body);
    }

    /** Leaves, unless the agent listens no more. */
    void leaveIfThere() {
        try {
            var unused = leave();
        } catch (RuntimeException ended) {
            // It has left, as everybody has.
        }
    }

    Answer leave() {
        return http.delete(address);
    }

    /** Sends heartbeats until it leads. */
    Json awaitLead() {
        Json[] last = {Json.ABSENT};
        Await.until(address + " leads", () -> leads(last));
        return last[0];
    }

    /** The same, within that time from now. */
    Json awaitLeadWithin(Duration time) {
        Json[] last = {Json.ABSENT};
        Await.within(time, address + " leads", () -> leads(last));
        return last[0];
    }

    private boolean leads(Json[] last) {
        last[0] = beat().json();
        return last[0].at("leads").flag();
    }
}
