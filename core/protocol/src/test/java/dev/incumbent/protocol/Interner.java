package dev.incumbent.protocol;

import java.util.HashMap;
import java.util.Map;

/** One instance for all equal values, so that worlds made of them are compared and hashed at once. */
final class Interner<T> {
    /** A value that is equal only to itself, for there is no other like it. */
    record One<T>(T value, int hash) {
        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    private final Map<T, One<T>> all = new HashMap<>();

    One<T> one(T value) {
        return all.computeIfAbsent(value, v -> new One<>(v, v.hashCode() * 0x9E3779B1));
    }
}
