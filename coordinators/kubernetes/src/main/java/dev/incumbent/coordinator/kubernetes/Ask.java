package dev.incumbent.coordinator.kubernetes;

/** One request to the API server; {@code body} and its type are empty where it has none. */
record Ask(String method, String path, String contentType, String body) {
    private static final String JSON = "application/json";
    private static final String JSON_PATCH = "application/json-patch+json";

    static Ask get(String path) {
        return new Ask("GET", path, "", "");
    }

    static Ask post(String path, String body) {
        return new Ask("POST", path, JSON, body);
    }

    /** Compares and changes in one step, at the server. */
    static Ask patch(String path, String body) {
        return new Ask("PATCH", path, JSON_PATCH, body);
    }

    static Ask delete(String path, String body) {
        return new Ask("DELETE", path, body.isEmpty() ? "" : JSON, body);
    }

    boolean writes() {
        return !method.equals("GET");
    }
}
