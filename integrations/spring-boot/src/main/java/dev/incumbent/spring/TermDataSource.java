package dev.incumbent.spring;

import dev.incumbent.Leadership;
import dev.incumbent.fence.sql.FencedDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The application's {@code DataSource}, which fences the connections that a thread takes while it runs a {@link LeaderOnly} method, and no others. A connection keeps the token of the term that
 * it was taken in. As thread-safe as the one within.
 */
final class TermDataSource extends DelegatingDataSource {
    private final DataSource within;
    private final CurrentTerm current;

    TermDataSource(DataSource within, CurrentTerm current) {
        super(within);
        this.within = within;
        this.current = current;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return present().getConnection();
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return present().getConnection(username, password);
    }

    private DataSource present() {
        Optional<Leadership> leadership = current.leadership();
        return leadership.isPresent() ? fenced(leadership.get()) : within;
    }

    private DataSource fenced(Leadership leadership) {
        return FencedDataSource.over(within, leadership.term().election(), leadership::token);
    }

    /** In a term it gives only itself away, because what it wraps is not fenced. */
    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return isUnwrappedHere(type) ? type.cast(this) : present().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return isUnwrappedHere(type) || present().isWrapperFor(type);
    }

    private boolean isUnwrappedHere(Class<?> type) {
        return type.isInstance(this);
    }
}
