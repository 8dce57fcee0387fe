package dev.incumbent.spring;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionListener;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.TermListener;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorSource;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.Timing;
import java.util.function.Supplier;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/** The elections of an application: its candidacies begin and end with it, and {@link LeaderOnly} methods run in their terms. */
@AutoConfiguration
@EnableConfigurationProperties(IncumbentProperties.class)
public class IncumbentAutoConfiguration {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CurrentTerm incumbentCurrentTerm() {
        return new CurrentTerm();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static NamedElections incumbentNamedElections() {
        return new NamedElections();
    }

    /** Made before all other beans, and so depends on none that opens anything: it asks for them when a method is called. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LeaderOnlyMethods incumbentLeaderOnlyMethods(
            ObjectProvider<Candidacies> candidacies,
            CurrentTerm current,
            NamedElections named,
            ObjectProvider<EntryCheck> checks) {
        return new LeaderOnlyMethods(new LeaderOnlyAdvice(candidacies::getObject, current, () -> checks), named);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("incumbent.at")
    CoordinatorSource incumbentCoordinator(IncumbentProperties properties) {
        String uri = properties.at();
        return (clocks, requestTimeout) ->
                CoordinatorProvider.of(uri).open(uri, clocks, requestTimeout, CoordinatorProvider.Mode.CREATE);
    }

    /** After Flyway and its like, which refuse a database that others have begun to fill. */
    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    Elections incumbentElections(
            IncumbentProperties properties,
            ObjectProvider<CoordinatorSource> coordinator,
            ObjectProvider<Metering> metering,
            ObjectProvider<ElectionListener> listeners,
            ObjectProvider<ElectionsCustomizer> customizers) {
        CoordinatorSource source = coordinator.getIfAvailable(() -> {
            throw new IllegalStateException("there is nothing to elect over: set incumbent.at, such as"
                    + " etcd://etcd1:2379/incumbent, or give the application one DataSource");
        });
        Metering measured = metering.getIfAvailable(() -> Metering.NONE);
        Elections.Builder builder = Elections.connect(
                        (clocks, requestTimeout) -> measured.around(source.open(clocks, requestTimeout)))
                .timing(Timing.ofLease(properties.lease()))
                .address(properties.address())
                .priority(properties.priority());
        if (!properties.name().isEmpty()) {
            builder.name(properties.name());
        }
        listeners.orderedStream().forEach(builder::listener);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.open();
    }

    @Bean
    Candidacies incumbentCandidacies(
            IncumbentProperties properties,
            Elections elections,
            NamedElections named,
            GuardedSinks sinks,
            TermEvents events) {
        properties.elections().stream().sorted().forEach(named::add);
        return new Candidacies(elections, named, sinks, events);
    }

    @Bean
    TermEvents incumbentTermEvents(ObjectProvider<TermListener> listeners) {
        return new TermEvents(listeners.orderedStream().toList());
    }

    @Bean
    GuardedSinks incumbentGuardedSinks(ObjectProvider<Sink> sinks, ObjectProvider<Metering> metering) {
        Metering measured = metering.getIfAvailable(() -> Metering.NONE);
        return new GuardedSinks(sinks.orderedStream().map(measured::around).toList());
    }

    /** The candidacy of an application that stands in one election; of several, {@link Candidacies} tells each. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    Candidacy incumbentCandidacy(Candidacies candidacies) {
        return Proxied.of(Candidacy.class, candidacies::sole);
    }

    /** The term of the {@link LeaderOnly} method that asks it. Everywhere else it throws an {@link IllegalStateException}. */
    @Bean
    @ConditionalOnMissingBean
    Leadership incumbentLeadership(CurrentTerm current) {
        return Proxied.of(
                Leadership.class,
                () -> current.leadership()
                        .orElseThrow(() -> new IllegalStateException("this thread runs no @LeaderOnly method, and so is"
                                + " in no term: ask Candidacies.of(name).leadership() there")));
    }

    /** An object that is asked for anew at each call. */
    private record Proxied<T>(Class<T> type, Supplier<T> present) implements TargetSource {
        static <T> T of(Class<T> type, Supplier<T> present) {
            return type.cast(new ProxyFactory(type, new Proxied<>(type, present)).getProxy(type.getClassLoader()));
        }

        @Override
        public Class<?> getTargetClass() {
            return type;
        }

        @Override
        public boolean isStatic() {
            return false;
        }

        @Override
        public Object getTarget() {
            return present.get();
        }

        @Override
        public void releaseTarget(Object target) {}
    }
}
