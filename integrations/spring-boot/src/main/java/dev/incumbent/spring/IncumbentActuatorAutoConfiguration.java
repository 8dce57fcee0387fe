package dev.incumbent.spring;

import dev.incumbent.Elections;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What Boot's actuator shows of elections: the health indicator {@code incumbent} and the endpoint {@code elections}. */
@AutoConfiguration(before = IncumbentAutoConfiguration.class)
@ConditionalOnClass(Endpoint.class)
public class IncumbentActuatorAutoConfiguration {
    private static final String INDICATOR_OF_BOOT_3 = "org.springframework.boot.actuate.health.HealthIndicator";
    private static final String INDICATOR_OF_BOOT_4 = "org.springframework.boot.health.contributor.HealthIndicator";

    @Bean
    Readiness incumbentReadiness(ObjectProvider<Candidacies> candidacies) {
        return new Readiness(candidacies::getObject);
    }

    @Bean
    @ConditionalOnAvailableEndpoint
    @ConditionalOnMissingBean
    ElectionsEndpoint incumbentElectionsEndpoint(Elections elections, ObjectProvider<Candidacies> candidacies) {
        return new ElectionsEndpoint(elections, candidacies::getObject);
    }

    /** Loaded on Boot 3.5. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = INDICATOR_OF_BOOT_3)
    @ConditionalOnProperty(name = "management.health.incumbent.enabled", matchIfMissing = true)
    static class Boot3Configuration {
        @Bean
        HealthOfBoot3 incumbentHealthIndicator(Readiness readiness) {
            return new HealthOfBoot3(readiness);
        }
    }

    /** Loaded on Boot 4. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = INDICATOR_OF_BOOT_4)
    @ConditionalOnMissingClass(INDICATOR_OF_BOOT_3)
    @ConditionalOnProperty(name = "management.health.incumbent.enabled", matchIfMissing = true)
    static class Boot4Configuration {
        @Bean
        HealthOfBoot4 incumbentHealthIndicator(Readiness readiness) {
            return new HealthOfBoot4(readiness);
        }
    }
}
