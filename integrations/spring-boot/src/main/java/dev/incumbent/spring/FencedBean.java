package dev.incumbent.spring;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/** Which bean the fenced {@code DataSource} is, and puts a {@link TermDataSource} around it: the one that is named, else the only one, else the primary one. */
final class FencedBean implements BeanPostProcessor, BeanFactoryAware, PriorityOrdered {
    private final CurrentTerm current;
    private final String named;
    private Optional<ConfigurableListableBeanFactory> beans = Optional.empty();

    FencedBean(CurrentTerm current, String named) {
        this.current = current;
        this.named = named;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        beans = Optional.of((ConfigurableListableBeanFactory) beanFactory);
    }

    /** Last: around what others have put around the pool. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return bean instanceof DataSource within
                        && name().filter(beanName::equals).isPresent()
                ? new TermDataSource(within, current)
                : bean;
    }

    /** The bean's name, where one must be fenced. */
    String required() {
        return name().orElseThrow(() -> new IllegalStateException("there are several DataSources, and none of them is"
                + " primary: set incumbent.fence.data-source to the name of the bean that methods of a term write to,"
                + " or incumbent.fence.enabled=false"));
    }

    private Optional<String> name() {
        if (!named.isEmpty()) {
            return Optional.of(named);
        }
        List<String> all = beans.stream()
                .flatMap(factory -> Arrays.stream(factory.getBeanNamesForType(DataSource.class, true, false)))
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .toList();
        List<String> primary =
                all.size() < 2 ? all : all.stream().filter(this::isPrimary).toList();
        return primary.size() == 1 ? Optional.of(primary.get(0)) : Optional.empty();
    }

    private boolean isPrimary(String name) {
        return beans.filter(factory -> factory.containsBeanDefinition(name))
                .map(factory -> factory.getBeanDefinition(name))
                .filter(BeanDefinition::isPrimary)
                .isPresent();
    }
}
