package dev.incumbent.spring;

import dev.incumbent.servers.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Instances of one application in this JVM, which share a file as their coordinator unless a property names another. */
final class Instances implements AutoCloseable {
    private final Class<?> application;
    private final Map<String, String> properties = new LinkedHashMap<>();
    private final List<ConfigurableApplicationContext> all = new ArrayList<>();
    private WebApplicationType web = WebApplicationType.NONE;

    Instances(Path folder, Class<?> application) {
        this.application = application;
        with(
                "incumbent.at=file:" + folder.resolve("coordinator.db"),
                "incumbent.lease=" + Await.LEASE.toSeconds() + "s",
                "incumbent.fence.enabled=false",
                "spring.main.banner-mode=off",
                "spring.jmx.enabled=false",
                "logging.level.root=warn");
    }

    /** Each as {@code NAME=VALUE}; a later one takes the place of an earlier one. */
    Instances with(String... named) {
        for (String property : named) {
            String[] parts = property.split("=", 2);
            properties.put(parts[0], parts[1]);
        }
        return this;
    }

    /** Over the pool of that database, which is fenced, too. */
    Instances over(PostgresServer database) {
        properties.remove("incumbent.at");
        return with(
                "incumbent.fence.enabled=true",
                "spring.datasource.url=jdbc:postgresql://127.0.0.1:" + database.port() + "/postgres",
                "spring.datasource.username=" + PostgresServer.USER,
                "spring.datasource.password=" + PostgresServer.PASSWORD);
    }

    Instances withWebServer() {
        web = WebApplicationType.SERVLET;
        return with(
                "server.port=0",
                "management.endpoints.web.exposure.include=*",
                "management.endpoint.health.show-details=always");
    }

    ConfigurableApplicationContext start(String name) {
        with("incumbent.name=" + name);
        String[] arguments = properties.entrySet().stream()
                .map(property -> "--" + property.getKey() + "=" + property.getValue())
                .toArray(String[]::new);
        ConfigurableApplicationContext started = new SpringApplicationBuilder(application)
                .web(web)
                .registerShutdownHook(false)
                .run(arguments);
        all.add(started);
        return started;
    }

    /** What its web server answers; the body follows the status. */
    static String get(ConfigurableApplicationContext instance, String path) {
        return answer(instance, path, HttpRequest.Builder::GET);
    }

    static String post(ConfigurableApplicationContext instance, String path, String json) {
        return answer(
                instance,
                path,
                request -> request.header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    static String delete(ConfigurableApplicationContext instance, String path) {
        return answer(instance, path, HttpRequest.Builder::DELETE);
    }

    private static String answer(
            ConfigurableApplicationContext instance, String path, UnaryOperator<HttpRequest.Builder> verb) {
        String port = instance.getEnvironment().getProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(40));
        try {
            HttpResponse<String> answer =
                    HttpClient.newHttpClient().send(verb.apply(request).build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        } catch (IOException failure) {
            return failure.toString();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    static boolean leads(ConfigurableApplicationContext instance, String election) {
        return instance.getBean(Candidacies.class).of(election).leadership().isPresent();
    }

    static void awaitLeading(ConfigurableApplicationContext instance, String election) {
        Await.until("that it leads " + election, () -> leads(instance, election));
    }

    /** It stands in line: so whoever leads could hand over to it. */
    static void awaitStanding(ConfigurableApplicationContext instance, String election) {
        Candidacies candidacies = instance.getBean(Candidacies.class);
        Await.until(
                "that it stands in " + election,
                () -> candidacies.of(election).health().enlisted());
    }

    @Override
    public void close() {
        all.forEach(ConfigurableApplicationContext::close);
    }
}
