package dev.incumbent.coordinator.sql;

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
     * return Elections.connect(JdbcCoordinator.over(dataSource)).open();
     * }</pre>
     *
     * <p>It keeps three connections, for leases, calls and the watch, and takes up to three more while many calls wait. A pool needs six to spare: while the
     * application holds all of them, leases are not renewed. Each goes back with the settings that it came with. Opening asks for a connection, and so waits as long
     * as the data source lets it; it throws a {@link dev.incumbent.coordinator.CoordinatorException} where it is given none.
     */
    public static CoordinatorSource over(DataSource dataSource) {
        return (timeline, requestTimeout) -> ServerCoordinator.open(
                new ServerStore(LentConnections.of(dataSource), Mode.CREATE, requestTimeout), timeline);
    }
}
