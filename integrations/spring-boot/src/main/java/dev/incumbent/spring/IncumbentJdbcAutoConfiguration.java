package dev.incumbent.spring;

import dev.incumbent.coordinator.CoordinatorSource;
import dev.incumbent.coordinator.sql.JdbcCoordinator;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.Sinks;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** What the application's own {@code DataSource} is used for: to elect over it, where no other coordinator is named, and to fence what {@link LeaderOnly} methods write through it. */
@AutoConfiguration(
        after = IncumbentAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
@ConditionalOnClass(DelegatingDataSource.class)
@ConditionalOnBean(DataSource.class)
public class IncumbentJdbcAutoConfiguration {
    /** Over connections of the application's pool, three of which it keeps. */
    @Bean
    @ConditionalOnMissingBean
    CoordinatorSource incumbentJdbcCoordinator(ObjectProvider<DataSource> dataSources) {
        DataSource unique = dataSources.getIfUnique();
        if (unique == null) {
            throw new IllegalStateException("there are several DataSources, and none of them is primary:"
                    + " set incumbent.at to say what to elect over");
        }
        return JdbcCoordinator.over(unique);
    }

    /** The fence of the one {@code DataSource} that methods of a term write to. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "incumbent.fence.enabled", matchIfMissing = true)
    static class FenceConfiguration {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static FencedBean incumbentFencedBean(CurrentTerm current, Environment environment) {
            return new FencedBean(current, environment.getProperty("incumbent.fence.data-source", ""));
        }

        /** Its raises take connections of their own and not the pool's: a pool that is used up must not keep a new leader out. */
        @Bean
        @ConditionalOnMissingBean
        @DependsOnDatabaseInitialization
        Sink incumbentSink(IncumbentProperties properties, FencedBean fenced, BeanFactory beans) {
            String url = properties.fence().sink();
            if (url.isEmpty()) {
                url = SinkUrl.of(beans.getBean(fenced.required(), DataSource.class));
            }
            if (properties.fence().install()) {
                Sinks.install(url);
            }
            return Sinks.open(url);
        }

        @Bean
        EntryCheck incumbentTransactionCheck() {
            return new TransactionCheck();
        }
    }
}
