package dev.incumbent.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;

/**
 * Jackson's streaming core, as the house uses it: nothing is interned, no thread keeps a buffer, and what cannot be read is not repeated in exceptions. In the jar
 * it has a package of this module's, so that an application's own Jackson never meets it.
 */
final class Jackson {
    static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .recyclerPool(JsonRecyclerPools.newConcurrentDequePool())
            .build();

    private Jackson() {}
}
