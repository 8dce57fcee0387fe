package dev.incumbent.coordinator.jdbc;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.model.ElectionName;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/** A place of its own in a database server, and clients with a wire each; time is real. */
class ServerRig implements CoordinatorRig {
    static final Duration REQUEST_TIMEOUT = Duration.ofMillis(1_500);
    private static final List<String> TABLES = List.of("incumbent_lease", "incumbent_election", "incumbent_candidate");

    private final SystemTimeline timeline = new SystemTimeline();
    private final Place place;
    private final List<Coordinator> clients = new ArrayList<>();
    private final Map<Coordinator, TcpProxy> wires = new HashMap<>();

    ServerRig(Place place) {
        this.place = place;
    }

    /**
     * Where one rig's tables lie.
     *
     * @param url by way of a port
     * @param port of the server; 0 where it lives in this process
     * @param lease the shortest that it grants, or a little more
     * @param expired moves the end of every lease by some microseconds: the server's clock is compared with nothing else
     */
    record Place(IntFunction<String> url, int port, Duration lease, String expired) {
        Place(IntFunction<String> url, int port, Duration lease) {
            this(url, port, lease, "update incumbent_lease set expires_us=expires_us-(%d)");
        }
    }

    @Override
    public synchronized Coordinator connect() {
        Optional<TcpProxy> wire = place.port() == 0 ? Optional.empty() : Optional.of(TcpProxy.to(place.port()));
        Coordinator client = open(place.url().apply(wire.map(TcpProxy::port).orElse(0)));
        clients.add(client);
        wire.ifPresent(it -> wires.put(client, it));
        return client;
    }

    private Coordinator open(String at) {
        return new JdbcCoordinatorProvider().open(at, timeline, REQUEST_TIMEOUT, Mode.CREATE);
    }

    @Override
    public Timeline timeline() {
        return timeline;
    }

    @Override
    public Duration requestTimeout() {
        return REQUEST_TIMEOUT;
    }

    @Override
    public Duration lease() {
        return place.lease();
    }

    @Override
    public Duration slack() {
        return Duration.ofSeconds(5);
    }

    @Override
    public void passTime(Duration length) {
        long end = timeline.nanos() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - timeline.nanos()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.allOf(Ability.class);
    }

    @Override
    public Set<Cut> cuts() {
        return place.port() == 0 ? Set.of() : EnumSet.allOf(Cut.class);
    }

    final Place place() {
        return place;
    }

    final TcpProxy wire(Coordinator client) {
        return Optional.ofNullable(wires.get(client)).orElseThrow();
    }

    @Override
    public void cut(Coordinator client, Cut how) {
        wire(client).cut(TcpProxy.Fault.valueOf(how.name()));
    }

    @Override
    public void heal(Coordinator client) {
        wire(client).heal();
    }

    @Override
    public void stepStoreClock(Duration by) {
        execute(place.expired().formatted(TimeUnit.NANOSECONDS.toMicros(by.toNanos())));
    }

    @Override
    public void backUp() {
        for (String table : TABLES) {
            execute("create table yesterday_" + table + " as select * from " + table);
        }
    }

    /** As a restore does it, in one transaction. */
    @Override
    public void restore() {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (String table : TABLES) {
                statement.execute("delete from " + table);
                String columns = table.endsWith("candidate") ? "election, candidate, lease, body" : "*";
                statement.execute("insert into " + table + (columns.equals("*") ? "" : "(" + columns + ")") + " select "
                        + columns + " from yesterday_" + table);
            }
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        execute("update incumbent_election set record='{\"v\":2}', nonce='" + UUID.randomUUID()
                + "', revision=revision+1 where name='" + election + "'");
    }

    void execute(String sql) {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    Connection connection() throws SQLException {
        return DriverManager.getConnection(place.url().apply(place.port()));
    }

    @Override
    public void close() {
        clients.forEach(Coordinator::close);
        wires.values().forEach(TcpProxy::close);
        timeline.close();
    }
}
