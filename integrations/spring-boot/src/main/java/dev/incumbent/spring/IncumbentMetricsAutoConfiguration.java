package dev.incumbent.spring;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.fence.Sink;
import dev.incumbent.micrometer.ElectionMeters;
import dev.incumbent.micrometer.MeteredCoordinator;
import dev.incumbent.micrometer.MeteredSink;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters of elections, of the calls to the coordinator and of the raises of sinks, in the application's registry. */
@AutoConfiguration(
        after = IncumbentAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, ElectionMeters.class})
@ConditionalOnBean(MeterRegistry.class)
public class IncumbentMetricsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    ElectionMeters incumbentElectionMeters(MeterRegistry registry) {
        return ElectionMeters.forEach(registry);
    }

    @Bean
    @ConditionalOnMissingBean
    Metering incumbentMetering(MeterRegistry registry) {
        return new Metering() {
            @Override
            public Coordinator around(Coordinator coordinator) {
                return MeteredCoordinator.around(coordinator, registry);
            }

            @Override
            public Sink around(Sink sink) {
                return MeteredSink.around(sink, registry);
            }
        };
    }
}
