package dev.incumbent.coordinator.etcd;

import dev.incumbent.adverse.AdverseContract;
import dev.incumbent.adverse.AdverseRig;

/** Candidacies on a real etcd in trouble. */
class EtcdAdverseTest extends AdverseContract {
    @Override
    protected AdverseRig openRig() {
        return EtcdRig.alone(FullDisk.SMALL_QUOTA);
    }
}
