package dev.incumbent.quorum;

import dev.incumbent.adverse.AdverseContract;
import dev.incumbent.adverse.AdverseRig;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/** Candidacies over the quorum, while all of it or the way to it is in trouble. Who harms nodes has the troubled quorum to itself. */
@ResourceLock(providers = QuorumAdverseTest.NodesAlone.class)
final class QuorumAdverseTest extends AdverseContract {
    private static final Duration LEASE = Duration.ofSeconds(4);

    /** The lock of whoever harms nodes. */
    static final class NodesAlone implements ResourceLocksProvider {
        @Override
        public Set<Lock> provideForMethod(List<Class<?>> enclosing, Class<?> testClass, Method method) {
            return harmsServers(method) ? Set.of(new Lock(Quorums.TROUBLED, ResourceAccessMode.READ_WRITE)) : Set.of();
        }
    }

    @Override
    protected AdverseRig openRig() {
        return new QuorumRig(Quorums.troubled(), LEASE, LEASE.dividedBy(4));
    }

    @Override
    protected AdverseRig openSharedRig() {
        return new QuorumRig(Quorums.calm(), LEASE, LEASE.dividedBy(4));
    }
}
