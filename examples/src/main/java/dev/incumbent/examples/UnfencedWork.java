package dev.incumbent.examples;

import dev.incumbent.Elections;
import dev.incumbent.LastResort;

/** Work that nothing can fence, in a process that rather ends than works on beside the next leader. */
final class UnfencedWork {
    private static final int EX_SOFTWARE = 70;

    private UnfencedWork() {}

    static Elections open(String uri) {
        return Elections.connect(uri).lastResort(LastResort.halt(EX_SOFTWARE)).open();
    }
}
