package dev.incumbent.coordinator.tck;

/** What a rig can do to its store besides; a contract test that needs what the rig cannot do is skipped, and counted as such. */
public enum Ability {
    /** Step the clock that judges leases. */
    STEP_STORE_CLOCK,
    /** Copy the store, and put yesterday's copy back. */
    RESTORE,
    /** Put a record that cannot be read in a record's place. */
    PLANT_UNREADABLE,
    /** Put a record under a name that no election can have. */
    PLANT_FOREIGN,
    /** Put an entry of any text among an election's candidates, also under a name that no election can have. */
    PLANT_CANDIDATE
}
