package dev.incumbent.fence.http;

import dev.incumbent.model.ElectionName;

/** Where a fenced service shows its marks, beneath whatever path it is served at. */
final class Paths {
    static final String ALL = "/incumbent/fence";
    static final String ONE = ALL + "/";

    private Paths() {}

    static ElectionName electionOf(String path) {
        return new ElectionName(path.substring(path.indexOf(ONE) + ONE.length()));
    }
}
