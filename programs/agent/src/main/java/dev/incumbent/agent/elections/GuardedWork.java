package dev.incumbent.agent.elections;

import dev.incumbent.wire.Json;
import dev.incumbent.wire.JsonException;
import dev.incumbent.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Work that the watchdog guards, as people and the next agent know it.
 *
 * @param process the process whose end is the end of the work; empty where only its owner's word counts
 */
public record GuardedWork(String election, String name, Optional<OwnerProcess> process) {
    /** In characters that stand in a line, without a space. */
    String text() {
        JsonWriter json =
                new JsonWriter().openObject().field("election", election).field("name", name);
        process.ifPresent(one -> json.field("pid", one.pid()).field("begun", one.begun()));
        return Base64.getEncoder().encodeToString(json.closeObject().done().getBytes(StandardCharsets.UTF_8));
    }

    /** From {@link #text}. What another version wrote, and this one cannot read, has no names. */
    static GuardedWork of(String text) {
        try {
            Json json = Json.read(new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8));
            return new GuardedWork(
                    json.at("election").text(),
                    json.at("name").text(),
                    json.has("pid")
                            ? Optional.of(new OwnerProcess(
                                    json.at("pid").number(), json.at("begun").number()))
                            : Optional.empty());
        } catch (JsonException | IllegalArgumentException unreadable) {
            return new GuardedWork("?", "?", Optional.empty());
        }
    }
}
