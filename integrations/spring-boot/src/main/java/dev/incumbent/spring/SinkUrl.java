package dev.incumbent.spring;

import com.zaxxer.hikari.HikariDataSource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;
import org.springframework.util.ClassUtils;

/** The URL of a sink, with its credentials, as the application's pool has it. */
final class SinkUrl {
    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

    private SinkUrl() {}

    static String of(DataSource dataSource) {
        return ofHikari(dataSource)
                .or(() -> ofDriver(dataSource))
                .orElseThrow(() -> new IllegalStateException("the URL of the database behind "
                        + dataSource.getClass().getName() + " is not known: set incumbent.fence.sink to it,"
                        + " with user and password, or incumbent.fence.enabled=false"));
    }

    private static Optional<String> ofHikari(DataSource dataSource) {
        return ClassUtils.isPresent(HIKARI, SinkUrl.class.getClassLoader()) ? Hikari.url(dataSource) : Optional.empty();
    }

    /** Loaded where Hikari is there. */
    private static final class Hikari {
        private Hikari() {}

        static Optional<String> url(DataSource dataSource) {
            return Optional.ofNullable(DataSourceUnwrapper.unwrap(dataSource, HikariDataSource.class))
                    .filter(pool -> pool.getJdbcUrl() != null)
                    .map(pool -> with(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword()));
        }
    }

    private static Optional<String> ofDriver(DataSource dataSource) {
        return Optional.ofNullable(DataSourceUnwrapper.unwrap(dataSource, AbstractDriverBasedDataSource.class))
                .flatMap(source -> Optional.ofNullable(source.getUrl())
                        .map(url -> with(url, source.getUsername(), source.getPassword())));
    }

    /** What the URL says itself stays. */
    static String with(String url, @Nullable String user, @Nullable String password) {
        if (user == null || user.isEmpty() || url.startsWith("jdbc:sqlite:")) {
            return url;
        }
        String secret = password == null ? "" : password;
        if (url.startsWith("jdbc:h2:")) {
            return url + ";USER=" + user + ";PASSWORD=" + secret;
        }
        return url + (url.contains("?") ? '&' : '?') + "user=" + encoded(user) + "&password=" + encoded(secret);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
