package dev.incumbent.coordinator.sql;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.time.Timeline;
import dev.incumbent.wire.Redaction;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Opens coordinators in SQL databases: {@code postgresql://}, {@code mariadb://} and {@code mysql://}, with or without {@code jdbc:} before it, a server;
 * {@code jdbc:h2:file:PATH}, a file of this process.
 */
public final class SqlCoordinatorProvider implements CoordinatorProvider {
    /** For {@link java.util.ServiceLoader}. */
    public SqlCoordinatorProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(
                "postgresql",
                "postgres",
                "mariadb",
                "mysql",
                "jdbc:postgresql",
                "jdbc:postgres",
                "jdbc:mariadb",
                "jdbc:mysql",
                "jdbc:h2");
    }

    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        ServerAddress address = ServerAddress.of(at, name -> Optional.ofNullable(System.getenv(name)))
                .orElseThrow(
                        () -> new CoordinatorUnusableException(
                                "no SQL coordinator is known for " + Redaction.of(at)
                                        + "; known are postgresql://USER@HOST:PORT/DATABASE, mariadb://, mysql:// and jdbc:h2:file:PATH"));
        return ServerCoordinator.open(new ServerStore(address.withItsDriver(), mode, requestTimeout), timeline);
    }
}
