package dev.incumbent.fence.tck;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The contract over a twin, whose flaw the launcher names; run by {@link BrokenTwinsTest} alone. */
@ExtendWith(TwinSentences.Named.class)
final class TwinSentences extends FenceContract {
    static final String FLAW = "incumbent.flaw";

    private final Set<Flaw> flaws;
    private final AtomicInteger born = new AtomicInteger();

    TwinSentences(Set<Flaw> flaws) {
        this.flaws = flaws;
    }

    @Override
    protected FenceRig rig() {
        return new TwinRig(flaws, "twin-" + born.incrementAndGet());
    }

    static final class Named implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Set.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getConfigurationParameter(FLAW)
                    .map(name -> EnumSet.of(Flaw.valueOf(name)))
                    .orElse(EnumSet.noneOf(Flaw.class));
        }
    }
}
