package dev.incumbent.examples;

import dev.incumbent.Elections;
import dev.incumbent.coordinator.sql.JdbcCoordinator;
import javax.sql.DataSource;

/** Elections over a database that the application has already. */
public final class PooledElections {
    private PooledElections() {}

    /** Over the application's pool, as Spring hands it out. */
    public static Elections over(DataSource dataSource) {
        return Elections.connect(JdbcCoordinator.over(dataSource)).open();
    }

    /** Over an H2 file that this JVM alone opens. */
    public static Elections inOneJvm() {
        return Elections.connect("jdbc:h2:file:/var/lib/app/coordinator;WRITE_DELAY=0")
                .open();
    }
}
