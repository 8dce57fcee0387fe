package dev.incumbent.servers;

import java.util.List;
import java.util.Map;

/** MariaDB's own command line, which speaks to MySQL as well, for the one user that their servers are started with. */
record MariaDbClient(int port, String user, String password, String database) {
    /** What a server runs when it starts, so that this user and its database are there. */
    static String users(String user, String password, String database) {
        return "create user if not exists " + user + "@'%' identified by '" + password + "';\n" + "grant all on *.* to "
                + user + "@'%' with grant option;\n" + "create database if not exists " + database + ";\n";
    }

    /** What both servers take to be small, quick and alone. */
    static List<String> options(int port) {
        return List.of(
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--skip-name-resolve",
                "--skip-log-bin",
                "--max-connections=300",
                "--innodb-flush-log-at-trx-commit=2");
    }

    boolean isAnswered() {
        return !ask("select 1").isEmpty();
    }

    /** What it answers: a line for each row, tabs between columns. */
    String ask(String sql) {
        return Programs.output(
                List.of(
                        "mariadb",
                        "--no-defaults",
                        "--protocol=tcp",
                        "-h",
                        "127.0.0.1",
                        "-P",
                        Integer.toString(port),
                        "-u",
                        user,
                        "-N",
                        "-B",
                        "-e",
                        sql,
                        database),
                Map.of("MYSQL_PWD", password));
    }
}
