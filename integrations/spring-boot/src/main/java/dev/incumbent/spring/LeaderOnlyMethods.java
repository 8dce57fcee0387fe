package dev.incumbent.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Puts {@link LeaderOnlyAdvice} around the {@link LeaderOnly} methods of beans, outside of a transaction's advice, and refuses those that cannot be run in a term. */
final class LeaderOnlyMethods extends AbstractBeanFactoryAwareAdvisingPostProcessor {
    private static final long serialVersionUID = 1L;
    private static final String PUBLISHER = "org.reactivestreams.Publisher";

    private final transient NamedElections named;

    LeaderOnlyMethods(LeaderOnlyAdvice advice, NamedElections named) {
        this.named = named;
        this.advisor = new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(null, LeaderOnly.class, true), advice);
        setBeforeExistingAdvisors(true);
        setProxyTargetClass(true);
        // Before the last, which are those who look for @Scheduled and @Async methods: they see the proxy.
        setOrder(Ordered.LOWEST_PRECEDENCE - 1);
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        super.setBeanFactory(beanFactory);
        if (this.advisor.getAdvice() instanceof LeaderOnlyAdvice advice
                && beanFactory instanceof ConfigurableBeanFactory configurable) {
            advice.resolveBy(configurable::resolveEmbeddedValue);
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Class<?> type = AopUtils.getTargetClass(bean);
        if (AnnotationUtils.isCandidateClass(type, LeaderOnly.class)) {
            annotated(type).forEach((method, only) -> {
                refuse(beanName, method);
                named.add(advice().electionOf(only));
            });
        }
        return super.postProcessAfterInitialization(bean, beanName);
    }

    private LeaderOnlyAdvice advice() {
        return (LeaderOnlyAdvice) this.advisor.getAdvice();
    }

    private static Map<Method, LeaderOnly> annotated(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (MetadataLookup<LeaderOnly>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class));
    }

    /** Such a method would run on every instance, or past the end of its term, and nobody would notice. */
    private static void refuse(String beanName, Method method) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            throw refused(beanName, method, "is private, static or final, so no proxy of the bean sees its calls");
        }
        if (Modifier.isFinal(method.getDeclaringClass().getModifiers())) {
            throw refused(beanName, method, "is of a final class, so no proxy of the bean sees its calls");
        }
        if (returnsBeforeItsWorkIsDone(method.getReturnType())) {
            throw refused(beanName, method, "returns before its work is done, and so would outlive its term");
        }
    }

    private static boolean returnsBeforeItsWorkIsDone(Class<?> result) {
        return Future.class.isAssignableFrom(result)
                || CompletionStage.class.isAssignableFrom(result)
                || Flow.Publisher.class.isAssignableFrom(result)
                || ClassUtils.getAllInterfacesForClassAsSet(result).stream()
                        .anyMatch(type -> type.getName().equals(PUBLISHER))
                || result.getName().equals(PUBLISHER);
    }

    private static IllegalStateException refused(String beanName, Method method, String why) {
        return new IllegalStateException(
                "@LeaderOnly of " + method.getDeclaringClass().getSimpleName() + "." + method.getName() + " (bean "
                        + beanName + ") cannot be kept: the method " + why);
    }
}
