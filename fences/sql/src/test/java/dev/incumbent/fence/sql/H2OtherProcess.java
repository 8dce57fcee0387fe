package dev.incumbent.fence.sql;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Another JVM that has an H2 database open: it says {@code open}, executes each line that it is given, and says {@code done} or why not. Ends with its input. */
final class H2OtherProcess implements AutoCloseable {
    private final Process process;

    private H2OtherProcess(Process process) {
        this.process = process;
    }

    static H2OtherProcess open(String url) throws IOException {
        H2OtherProcess other = new H2OtherProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        H2OtherProcess.class.getName(),
                        url)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        String said = other.said();
        if (!said.equals("open")) {
            throw new IllegalStateException(said);
        }
        return other;
    }

    String execute(String sql) throws IOException {
        process.getOutputStream().write((sql + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        return said();
    }

    private String said() throws IOException {
        return String.valueOf(process.inputReader(StandardCharsets.UTF_8).readLine());
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        String unused = said();
        process.onExit().join();
    }

    public static void main(String[] arguments) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection(arguments[0])) {
            connection.setAutoCommit(false);
            System.out.println("open");
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(executed(connection, line));
            }
        }
    }

    private static String executed(Connection connection, String line) {
        try {
            Installation.execute(connection, line);
            return "done";
        } catch (SQLException failure) {
            return failure.getSQLState();
        }
    }
}
