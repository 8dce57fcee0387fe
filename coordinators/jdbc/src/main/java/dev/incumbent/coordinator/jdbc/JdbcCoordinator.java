package dev.incumbent.coordinator.jdbc;

import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorSource;
import javax.sql.DataSource;

/** A coordinator in the database that the application has already, over its own {@link DataSource}; every other one is opened by its URI. */
public final class JdbcCoordinator {
    private JdbcCoordinator() {}

    /**
     * A coordinator in PostgreSQL, MariaDB or MySQL, over connections of that data source, which stays the caller's to close, after the elections. It makes its tables
     * where they are missing.
     *
     * <pre>{@code
     * Elections.connect(JdbcCoordinator.over(dataSource)).open()
     * }</pre>
     *
     * <p>It keeps two connections for as long as it is open, a third while elections are watched, and takes up to three more while many calls wait: a pool needs so
     * many to spare, or leases lapse while the application holds them all. Each goes back with the settings that it came with. Opening asks for a connection, and so
     * waits as long as the data source lets it; it throws a {@link dev.incumbent.coordinator.CoordinatorException} where it is given none.
     */
    public static CoordinatorSource over(DataSource dataSource) {
        return (timeline, requestTimeout) -> ServerCoordinator.open(
                new ServerStore(LentConnections.of(dataSource), Mode.CREATE, requestTimeout), timeline);
    }
}
