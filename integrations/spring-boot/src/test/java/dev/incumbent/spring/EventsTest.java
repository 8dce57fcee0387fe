package dev.incumbent.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.spring.recipe.TermReport;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.leader.event.OnGrantedEvent;

/** What listeners of the application are told of its terms. */
@Timeout(180)
class EventsTest {
    private static final String NAME = "billing/closer";

    @TempDir
    private Path folder;

    @Test
    void aListenerOfTheLeaderRunsAtTheBeginningOfEachTermAndIsToldItsEnd() {
        try (Instances instances = new Instances(folder, Application.class)) {
            ConfigurableApplicationContext first = instances.start("first");
            TermReport report = first.getBean(TermReport.class);
            Await.until("that the first term was told", () -> report.lines().size() == 1);

            first.getBean(Candidacies.class).of(NAME).resign();
            Await.until("that the next term was told", () -> report.lines().size() == 3);
            first.close();

            assertThat(report.lines()).startsWith("begun: 1", "over: 1, RESIGNED", "begun: 2");
        }
    }

    @Test
    void springIntegrationsListenersHearTheSameAndMayYield() {
        try (Instances instances = new Instances(folder, Application.class)) {
            ConfigurableApplicationContext first = instances.start("first");
            List<AbstractLeaderEvent> told = first.getBean(Heard.class).all;
            Await.until("that the grant was told", () -> told.size() == 1);
            ConfigurableApplicationContext second = instances.start("second");
            Instances.awaitStanding(second, NAME);
            boolean wasLeader = told.get(0).getContext().isLeader();

            told.get(0).getContext().yield();
            Instances.awaitLeading(second, NAME);
            Await.until("that the end was told", () -> told.size() == 2);

            assertThat(wasLeader).isTrue();
            assertThat(told)
                    .extracting(event -> event.getClass().getSimpleName())
                    .containsExactly("OnGrantedEvent", "OnRevokedEvent");
            assertThat(told).extracting(AbstractLeaderEvent::getRole).containsOnly(NAME);
            assertThat(told.get(1).getContext().isLeader()).isFalse();
            assertThat(second.getBean(Heard.class).all).hasOnlyElementsOfType(OnGrantedEvent.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({IncumbentAutoConfiguration.class, IncumbentEventsAutoConfiguration.class})
    static class Application {
        @Bean
        TermReport report() {
            return new TermReport();
        }

        @Bean
        Heard heard() {
            return new Heard();
        }
    }

    static class Heard {
        final List<AbstractLeaderEvent> all = new CopyOnWriteArrayList<>();

        @EventListener
        void hear(AbstractLeaderEvent event) {
            all.add(event);
        }
    }
}
