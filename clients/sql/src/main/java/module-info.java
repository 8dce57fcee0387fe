/** Floor 2: the address of a SQL database and the file system of a SQLite file, for the coordinator and the fence there. */
module dev.incumbent.sql {
    requires dev.incumbent.wire;

    exports dev.incumbent.sql;
}
