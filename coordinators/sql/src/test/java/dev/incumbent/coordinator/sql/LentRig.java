package dev.incumbent.coordinator.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.tck.Pace;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** The same place, over pools of an application's: one a client. */
final class LentRig extends ServerRig {
    private static final int CONNECTIONS = 6;

    private final List<HikariDataSource> pools = new ArrayList<>();

    LentRig(Place place, Pace pace) {
        super(place, pace);
    }

    @Override
    Coordinator open(String at) {
        HikariDataSource pool = pool(at);
        Coordinator opened = JdbcCoordinator.over(pool).open(timeline(), requestTimeout());
        return (Coordinator) Proxy.newProxyInstance(
                Coordinator.class.getClassLoader(), new Class<?>[] {Coordinator.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(opened, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (method.getName().equals("close")) {
                            pool.close(); // its threads are the application's
                        }
                    }
                });
    }

    /** A pool that knows nothing of us. */
    HikariDataSource pool(String at) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(at);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(requestTimeout().toMillis());
        config.setValidationTimeout(requestTimeout().toMillis() / 2);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    @Override
    public void close() {
        super.close();
        pools.forEach(HikariDataSource::close);
    }
}
