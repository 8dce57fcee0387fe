package dev.incumbent.fence.sql;

/**
 * The driver of a kind of database: only SQLite's comes with this module, an application brings those of the databases that it uses.
 *
 * @param artifact what it adds to have it
 */
record DriverClass(String name, String artifact) {
    /** Refuses a URL whose driver is not there. */
    void requireFor(String product) {
        try {
            Class.forName(name, false, DriverClass.class.getClassLoader());
        } catch (ClassNotFoundException absent) {
            throw new IllegalArgumentException(
                    "a sink in " + product + " needs a driver that is not on the class path; add " + artifact, absent);
        }
    }
}
