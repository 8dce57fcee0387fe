package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.Ability;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.coordinator.tck.Pace;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.sql.FileSystems;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** A store in a temporary file, and its clients; time is real. */
class SqliteRig implements CoordinatorRig {
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(1);

    final SystemTimeline system = new SystemTimeline();
    private final SteppedTimeline clock = new SteppedTimeline(system);
    private final List<Coordinator> clients = new ArrayList<>();
    private final Path folder;
    private final Duration requestTimeout;

    SqliteRig() throws IOException {
        this(REQUEST_TIMEOUT);
    }

    SqliteRig(Duration requestTimeout) throws IOException {
        this.requestTimeout = requestTimeout;
        folder = Files.createTempDirectory("incumbent-");
    }

    Path folder() {
        return folder;
    }

    Path file() {
        return folder.resolve("coordinator.db");
    }

    @Override
    public Coordinator connect() {
        return remembered(open(file(), Mode.CREATE));
    }

    final Coordinator open(Path path, Mode mode) {
        return open(path, mode, Boot.current());
    }

    final Coordinator open(Path path, Mode mode, Boot boot) {
        return SqliteCoordinator.open(
                new SqliteStore(path, mode, requestTimeout.dividedBy(2), FileSystems::typeOf),
                new SqliteLane.Clocks(clock, boot, requestTimeout));
    }

    final Coordinator remembered(Coordinator client) {
        clients.add(client);
        return client;
    }

    @Override
    public Timeline timeline() {
        return system;
    }

    @Override
    public Duration requestTimeout() {
        return requestTimeout;
    }

    @Override
    public Duration lease() {
        return Pace.lease(Duration.ofMillis(1_500), requestTimeout);
    }

    @Override
    public Duration slack() {
        return Pace.slack(Duration.ofSeconds(5), requestTimeout);
    }

    @Override
    public void passTime(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.allOf(Ability.class);
    }

    @Override
    public Set<Cut> cuts() {
        return Set.of();
    }

    @Override
    public void stepStoreClock(Duration by) {
        clock.step(by);
    }

    final SteppedTimeline clock() {
        return clock;
    }

    @Override
    public void backUp() {
        execute("vacuum into '" + folder.resolve("yesterday.db") + "'");
    }

    /** As people do it: yesterday's copy is renamed into the store's place. */
    @Override
    public void restore() {
        try {
            Files.move(folder.resolve("yesterday.db"), file(), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void plantForeign(String name) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                PreparedStatement planting = connection.prepareStatement(
                        "insert into incumbent_election(name, revision, nonce, record) values(?, 1, 'foreign', '{}')")) {
            planting.setString(1, name);
            planting.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void plantUnreadable(ElectionName election) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                PreparedStatement planting = connection.prepareStatement(
                        "update incumbent_election set record='{\"v\":2}', nonce=?, revision=revision+1 where name=?")) {
            planting.setString(1, UUID.randomUUID().toString());
            planting.setString(2, election.value());
            planting.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void plantCandidate(String name, LeaseId lease, String text) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                PreparedStatement planting = connection.prepareStatement(
                        "insert into incumbent_candidate(election, candidate, lease, body) values(?, 'planted', ?, ?)")) {
            planting.setString(1, name);
            planting.setString(2, lease.value());
            planting.setString(3, text);
            planting.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a statement of another connection answers first. */
    final String text(String sql) {
        return text(file(), sql);
    }

    final String text(Path database, String sql) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    final void execute(String sql) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    final void closeClients() {
        clients.forEach(Coordinator::close);
        clients.clear();
    }

    @Override
    public void close() {
        closeClients();
        system.close();
        try (var files = Files.walk(folder)) {
            for (Path path : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
