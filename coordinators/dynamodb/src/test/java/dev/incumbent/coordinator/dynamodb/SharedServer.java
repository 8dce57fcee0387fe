package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.servers.DynamoDbServer;

/** One server for all tests of this JVM, started by the first and ended with the JVM. */
final class SharedServer {
    private static final DynamoDbServer SERVER = start();

    private SharedServer() {}

    private static DynamoDbServer start() {
        DynamoDbServer.provideCredentials();
        DynamoDbServer server = DynamoDbServer.start();
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        return server;
    }

    static DynamoDbServer get() {
        return SERVER;
    }
}
