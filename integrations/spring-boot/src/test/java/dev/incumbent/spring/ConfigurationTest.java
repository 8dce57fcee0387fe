package dev.incumbent.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.Driver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/** What is configured of which beans and properties. */
@Timeout(120)
class ConfigurationTest {
    @TempDir
    private Path folder;

    @Test
    void ofSeveralDataSourcesNoneIsGuessed() {
        runner().withUserConfiguration(TwoDatabases.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith("there are several DataSources, and none of them is primary:"
                                + " set incumbent.fence.data-source"));
    }

    @Test
    void theNamedDataSourceIsFencedAndNoOther() {
        runner().withUserConfiguration(TwoDatabases.class)
                .withPropertyValues("incumbent.fence.data-source=reports")
                .run(context -> {
                    assertThat(context.getBean("ledger")).isNotInstanceOf(TermDataSource.class);
                    assertThat(context.getBean("reports")).isInstanceOf(TermDataSource.class);
                });
    }

    @Test
    void withoutTheFenceNoDataSourceIsTouched() {
        runner().withUserConfiguration(TwoDatabases.class)
                .withPropertyValues("incumbent.fence.enabled=false")
                .run(context -> {
                    assertThat(context.getBean("reports")).isNotInstanceOf(TermDataSource.class);
                    assertThat(context.getBean(GuardedSinks.class).all()).isEmpty();
                });
    }

    @Test
    void aSinkHasTheCredentialsOfItsPool() {
        assertThat(SinkUrl.with("jdbc:postgresql://db/app?ssl=true", "app user", "a&b=c+d"))
                .isEqualTo("jdbc:postgresql://db/app?ssl=true&user=app%20user&password=a%26b%3Dc%2Bd");
        assertThat(SinkUrl.with("jdbc:mariadb://db/app", "app", null))
                .isEqualTo("jdbc:mariadb://db/app?user=app&password=");
        assertThat(SinkUrl.with("jdbc:h2:file:/data/app", "sa", "x"))
                .isEqualTo("jdbc:h2:file:/data/app;USER=sa;PASSWORD=x");
        assertThat(SinkUrl.with("jdbc:sqlite:app.db", "sa", "x")).isEqualTo("jdbc:sqlite:app.db");
    }

    @Test
    void theMetadataDescribesTheProperties() throws IOException {
        try (InputStream metadata =
                ConfigurationTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            String text = new String(Objects.requireNonNull(metadata).readAllBytes(), StandardCharsets.UTF_8);

            assertThat(text)
                    .contains("\"name\": \"incumbent.at\"", "\"name\": \"incumbent.fence.data-source\"")
                    .contains("How long a lease is: after a leader's death, nobody leads for at most that long.")
                    .contains("\"defaultValue\": \"15s\"");
        }
    }

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IncumbentAutoConfiguration.class, IncumbentJdbcAutoConfiguration.class))
                .withPropertyValues("incumbent.at=file:" + folder.resolve("coordinator.db"));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {
        @Bean
        DataSource ledger() {
            return database();
        }

        @Bean
        DataSource reports() {
            return database();
        }

        private static DataSource database() {
            return new SimpleDriverDataSource(
                    new Driver(), "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        }
    }
}
