package dev.incumbent.fence.sql;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Opens SQL databases as sinks, by the URLs of their drivers, with or without {@code jdbc:}: SQLite, PostgreSQL, MariaDB and MySQL, H2. */
public final class SqlSinkProvider implements SinkProvider {
    static final List<Dialect> DIALECTS =
            List.of(new SqliteDialect(), new PostgresDialect(), new MariaDbDialect(), new H2Dialect());

    @Override
    public boolean opens(String url) {
        return DIALECTS.stream().anyMatch(dialect -> dialect.opens(url));
    }

    @Override
    public Set<String> schemes() {
        Set<String> schemes = new LinkedHashSet<>();
        DIALECTS.forEach(dialect -> schemes.addAll(dialect.prefixes()));
        return schemes;
    }

    @Override
    public Sink open(String url, Duration bound) {
        return dialect(url).open(url, bound);
    }

    @Override
    public void install(String url) {
        dialect(url).install(url);
    }

    @Override
    public void guard(String url, String table, ElectionName election) {
        dialect(url).guard(url, table, election);
    }

    private Dialect dialect(String url) {
        Dialect dialect = DIALECTS.stream()
                .filter(one -> one.opens(url))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + url.replaceAll(":.*", ":")
                        + "' begins no URL of a sink that is known here: " + schemes()));
        dialect.driver().requireFor(dialect.product());
        return dialect;
    }
}
