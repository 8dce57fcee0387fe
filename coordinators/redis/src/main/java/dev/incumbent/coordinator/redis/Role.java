package dev.incumbent.coordinator.redis;

/** What a server has to be, to be asked. */
enum Role {
    MASTER("masters", "Redlock needs each on its own"),
    SENTINEL("sentinels", "a majority counts each once");

    private final String several;
    private final String distinct;

    Role(String several, String distinct) {
        this.several = several;
        this.distinct = distinct;
    }

    /** Several of them, for people. */
    String several() {
        return several;
    }

    /** Why no two addresses may be of one server, for people. */
    String distinct() {
        return distinct;
    }
}
