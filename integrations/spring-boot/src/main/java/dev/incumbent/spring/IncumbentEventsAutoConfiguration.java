package dev.incumbent.spring;

import dev.incumbent.TermListener;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.leader.event.OnGrantedEvent;

/** What the application is told of its terms. */
@AutoConfiguration(before = IncumbentAutoConfiguration.class)
public class IncumbentEventsAutoConfiguration {
    @Bean
    TermListener incumbentPublishedTerms(ApplicationEventPublisher publisher) {
        return new PublishedTerms(publisher);
    }

    /** Loaded where Spring Integration is there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(OnGrantedEvent.class)
    static class IntegrationConfiguration {
        @Bean
        TermListener incumbentIntegrationTerms(
                ApplicationEventPublisher publisher, ObjectProvider<Candidacies> candidacies) {
            return new IntegrationTerms(publisher, candidacies::getObject);
        }
    }
}
