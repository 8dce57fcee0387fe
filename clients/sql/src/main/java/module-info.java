/** Floor 2: the address of a SQL database and connections to it, and the files of one in SQLite, for the coordinator and the fence there. */
module dev.incumbent.sql {
    requires dev.incumbent.wire;
    requires transitive java.sql;

    exports dev.incumbent.sql;
}
