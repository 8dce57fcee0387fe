package dev.incumbent.adverse;

import java.util.function.UnaryOperator;

/** The store in memory keeps what every store keeps. */
final class MemoryAdverseTest extends AdverseContract {
    @Override
    protected AdverseRig openRig() {
        return new MemoryAdverseRig(UnaryOperator.identity());
    }
}
