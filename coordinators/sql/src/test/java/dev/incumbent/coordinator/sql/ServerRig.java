package dev.incumbent.coordinator.sql;

import dev.incumbent.adverse.WiredRig;
import dev.incumbent.adverse.Wires;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.coordinator.tck.Pace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** A place of its own in a database server, and clients with a wire each; time is real. */
class ServerRig implements WiredRig {
    static final Duration REQUEST_TIMEOUT = Duration.ofMillis(1_500);
    private static final List<String> TABLES = List.of("incumbent_lease", "incumbent_election", "incumbent_candidate");

    private final Wires wires = new Wires();
    private final Place place;
    private final Duration requestTimeout;

    ServerRig(Place place) {
        this(place, REQUEST_TIMEOUT);
    }

    ServerRig(Place place, Pace pace) {
        this(place, pace.requestTimeout(REQUEST_TIMEOUT));
    }

    ServerRig(Place place, Duration requestTimeout) {
        this.place = place;
        this.requestTimeout = requestTimeout;
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
    public Wires wires() {
        return wires;
    }

    /** Without a wire where the database lives in this process. */
    @Override
    public Coordinator connect() {
        List<Integer> ports = place.port() == 0 ? List.of() : List.of(place.port());
        return wires.connect(
                ports,
                own -> open(place.url().apply(own.isEmpty() ? 0 : own.get(0).port())));
    }

    Coordinator open(String at) {
        return new SqlCoordinatorProvider().open(at, timeline(), requestTimeout, Mode.CREATE);
    }

    @Override
    public Duration requestTimeout() {
        return requestTimeout;
    }

    @Override
    public Duration lease() {
        return Pace.lease(place.lease(), requestTimeout);
    }

    @Override
    public Duration slack() {
        return Pace.slack(Duration.ofSeconds(5), requestTimeout);
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
    public void plantForeign(String name) {
        execute("insert into incumbent_election(name, revision, nonce, record) values('" + name
                + "', 1, 'foreign', '{}')");
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        execute("update incumbent_election set record='{\"v\":2}', nonce='" + UUID.randomUUID()
                + "', revision=revision+1 where name='" + election + "'");
    }

    @Override
    public void plantCandidate(String name, LeaseId lease, String text) {
        execute("insert into incumbent_candidate(election, candidate, lease, body) values('" + name + "', 'planted', '"
                + lease + "', '" + text + "')");
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
        wires.close();
    }
}
