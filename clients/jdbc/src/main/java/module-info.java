/** Floor 2: what the coordinators in a SQLite file and in SQL databases share. */
module dev.incumbent.jdbc {
    requires transitive dev.incumbent.coordinator;
    requires transitive java.sql;

    exports dev.incumbent.jdbc;
}
