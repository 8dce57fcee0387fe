package dev.incumbent.coordinator;

import java.util.List;

/** A JSON value as it was read; numbers keep their digits. */
sealed interface Json {
    record Text(String value) implements Json {}

    record Numeral(String digits) implements Json {}

    record Flag(boolean value) implements Json {}

    record Nothing() implements Json {}

    record Items(List<Json> values) implements Json {}

    /** An object: its fields are taken by name. */
    record Fields(JsonFields fields) implements Json {}
}
