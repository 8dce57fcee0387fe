package dev.incumbent.coordinator.consul;

/** How a lease stands. */
enum LeaseStatus {
    /** Its session lives. */
    HELD,
    /** Its session has ended, and its holder may not know: nobody leads in its place yet. */
    ENDED,
    /** Over for everybody, and for ever. */
    DEAD;

    boolean isAlive() {
        return this != DEAD;
    }
}
