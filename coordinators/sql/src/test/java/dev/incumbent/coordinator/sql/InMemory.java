package dev.incumbent.coordinator.sql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Connections to a database in this process, that tell how they end. */
final class InMemory implements ServerSource {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";WRITE_DELAY=0";
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Consumer<Connection> aborting;

    /** Connections that do so when they are aborted. */
    InMemory(Consumer<Connection> aborting) {
        this.aborting = aborting;
    }

    /** What became of connections, in its order: opened, aborted, ended. */
    List<String> told() {
        return told;
    }

    @Override
    public Dialect dialect() {
        return new H2Dialect();
    }

    @Override
    public String label() {
        return "h2://here";
    }

    @Override
    public String user() {
        return "";
    }

    @Override
    public Connection connect(Duration requestTimeout) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        told.add("opened");
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("abort")) {
                        told.add("aborted");
                        aborting.accept(connection);
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public Ending ending(Connection fresh) {
        return () -> {
            fresh.close();
            told.add("ended");
        };
    }
}
