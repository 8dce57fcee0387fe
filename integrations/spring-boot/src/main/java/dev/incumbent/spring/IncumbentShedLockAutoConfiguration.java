package dev.incumbent.spring;

import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** A {@code LockProvider} for ShedLock whose locks are terms. */
@AutoConfiguration(after = IncumbentAutoConfiguration.class)
@ConditionalOnClass(LockProvider.class)
public class IncumbentShedLockAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    LockProvider incumbentLockProvider(
            Candidacies candidacies, CurrentTerm current, ObjectProvider<EntryCheck> checks) {
        return new ElectionLocks(candidacies, current, checks);
    }
}
