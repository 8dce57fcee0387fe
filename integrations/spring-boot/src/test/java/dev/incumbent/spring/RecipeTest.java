package dev.incumbent.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.PostgresServer;
import dev.incumbent.spring.recipe.LedgerApplication;
import dev.incumbent.spring.recipe.TermReport;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** The application of docs/spring.md, with all that Boot configures by itself, over a real PostgreSQL. */
@Timeout(180)
@Tag("trial")
class RecipeTest {
    private static final String NAME = "billing/closer";

    @TempDir
    private Path folder;

    @Test
    void theSecondInstanceGoesOnWhereTheFirstStops() {
        try (PostgresServer database = PostgresServer.start();
                Instances instances = new Instances(folder, LedgerApplication.class)
                        .over(database)
                        .withWebServer()) {
            database.psql("CREATE TABLE closed_days(closed_at timestamptz)");
            ConfigurableApplicationContext first = instances.start("first");
            Await.until("that the first writes", () -> written(database) > 0);
            ConfigurableApplicationContext second = instances.start("second");
            Instances.awaitStanding(second, NAME);
            boolean ledMeanwhile = Instances.leads(second, NAME);

            first.close();
            int before = written(database);
            Await.until("that the second writes", () -> written(database) > before);

            assertThat(ledMeanwhile).isFalse();
            assertThat(second.getBean(TermReport.class).lines()).containsExactly("begun: 2");
            assertThat(first.isActive()).isFalse();
            assertThat(database.psql("SELECT token FROM incumbent.fence WHERE election = '" + NAME + "'"))
                    .contains("2");
        }
    }

    @Test
    void nothingIsMadeInTheDatabaseBeforeItsOwnInitialization() {
        try (PostgresServer database = PostgresServer.start();
                Instances instances = new Instances(folder, LedgerApplication.class).over(database)) {
            database.psql("CREATE TABLE closed_days(closed_at timestamptz)");
            ConfigurableApplicationContext instance = instances.start("first");

            for (String bean : List.of("incumbentElections", "incumbentSink")) {
                assertThat(instance.getBeanFactory().getBeanDefinition(bean).getDependsOn())
                        .contains("dataSourceScriptDatabaseInitializer");
            }
        }
    }

    private static int written(PostgresServer database) {
        return Integer.parseInt(
                database.psql("SELECT count(*) FROM closed_days").strip());
    }
}
