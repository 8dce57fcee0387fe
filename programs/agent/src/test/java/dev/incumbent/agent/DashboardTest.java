package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.PlainHttp.Answer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a browser is served, and what keeps others' texts from running in it. */
@Tag("patient")
@Timeout(60)
class DashboardTest extends WithAgent {
    private static final Pattern NAMED_BY_A_PAGE = Pattern.compile("(?:src|href)=\"(/[^\"]*)\"");
    private static final Pattern NAMED_BY_A_SCRIPT = Pattern.compile("from '\\./([^']*)'");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    @Test
    void thePageAndEveryFileThatItNamesAreServedWithoutAToken() throws IOException, URISyntaxException {
        Map<String, Answer> served = served();

        served.forEach((path, answer) -> {
            assertThat(answer.status()).as(path).isEqualTo(200);
            assertThat(answer.header("Content-Type")).as(path).isEqualTo(TYPES.get(ending(path)));
        });
        assertThat(served.keySet().stream().map(path -> path.equals("/") ? "index.html" : path.substring(11)))
                .as("no file lies there that the page does not name")
                .containsExactlyInAnyOrderElementsOf(PageFiles.read().keySet());
    }

    private static String ending(String path) {
        return path.equals("/") ? "html" : path.substring(path.lastIndexOf('.') + 1);
    }

    /** The page, what it names, and what that names, by their addresses. */
    private Map<String, Answer> served() {
        Map<String, Answer> served = new TreeMap<>();
        Deque<String> named = new ArrayDeque<>(List.of("/"));
        while (!named.isEmpty()) {
            String path = named.remove();
            if (!served.containsKey(path)) {
                Answer answer = work.port().get(path);
                served.put(path, answer);
                NAMED_BY_A_PAGE.matcher(answer.body()).results().forEach(link -> named.add(link.group(1)));
                NAMED_BY_A_SCRIPT
                        .matcher(answer.body())
                        .results()
                        .forEach(one -> named.add("/dashboard/" + one.group(1)));
            }
        }
        return served;
    }

    @Test
    void theBrowserIsToldToRunNothingElse() {
        served().forEach((path, answer) -> {
            assertThat(answer.header("Content-Security-Policy").split("; *"))
                    .as(path)
                    .containsExactly(
                            "default-src 'none'",
                            "script-src 'self'",
                            "style-src 'self'",
                            "img-src 'self'",
                            "connect-src 'self'",
                            "base-uri 'none'",
                            "form-action 'none'",
                            "frame-ancestors 'none'",
                            "require-trusted-types-for 'script'",
                            "trusted-types 'none'");
            assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(answer.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
            assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
            assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        });
    }

    @Test
    void noFileHoldsWhatThePolicyForbids() {
        served().forEach((path, answer) -> {
            assertThat(answer.body())
                    .as(path + " makes HTML of no text, runs none, and stores nothing")
                    .doesNotContainPattern(
                            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|srcdoc|DOMParser"
                                    + "|\\beval\\b|new Function|javascript:|localStorage|sessionStorage|indexedDB|document\\.cookie");
            assertThat(answer.body().replace("http://www.w3.org/2000/svg", ""))
                    .as(path + " names no other host")
                    .doesNotContainPattern("(https?:)?//[A-Za-z0-9]");
        });
        assertThat(work.port().get("/").body())
                .as("no script or style stands in the page")
                .doesNotContainPattern("<script(?![^>]* src=)|<style|\\sstyle=|\\son[a-z]+=");
    }

    @Test
    void headIsAnsweredWithTheSameHeadersAndNoBody() {
        for (String path : List.of("/", "/dashboard/dashboard.js")) {
            Answer whole = work.port().get(path);
            Answer head = work.port().ask("HEAD", path, "");

            assertThat(head.status()).isEqualTo(200);
            assertThat(head.head().lines().sorted())
                    .isEqualTo(whole.head().lines().sorted().toList());
            assertThat(head.body()).isEmpty();
        }
    }

    @Test
    void nothingElseIsServed() {
        for (String path : List.of(
                "/dashboard/index.html",
                "/dashboard/openapi.json",
                "/dashboard/Dashboard.js",
                "/dashboard/..%2Fopenapi.json",
                "/dashboard/%2e%2e%2fopenapi.json",
                "/dashboard/dashboard.js%00",
                "/dashboard/")) {
            assertThat(work.port().get(path).status()).as(path).isIn(400, 404);
        }
        assertThat(work.port().get("/dashboard").status()).as("no token").isEqualTo(401);
        assertThat(work.port().get("/favicon.ico").status()).isEqualTo(401);
        assertThat(work.port().post("/", "").status()).isEqualTo(405);
        assertThat(work.port().with("Accept: text/event-stream").get("/").status())
                .isEqualTo(406);
    }

    @Test
    void anotherHostsNameIsServedNothing() {
        assertThat(work.port().forHost("evil.example").get("/").status()).isEqualTo(421);
        assertThat(work.port().with("Origin: http://evil.example").get("/").status())
                .isEqualTo(403);
    }

    @Test
    void thePagesOwnRequestsAreAnsweredAndThoseOfOtherPagesAreNot() {
        PlainHttp port = work.port().bearing(AgentAtWork.OPERATES);
        String number = port.host().substring(port.host().lastIndexOf(':'));

        for (String name : List.of("127.0.0.1", "localhost", "[::1]")) {
            assertThat(port.forHost(name + number)
                            .with("Origin: http://" + name + number)
                            .get("/v1/elections")
                            .status())
                    .as(name)
                    .isEqualTo(200);
        }
        for (String other : List.of(
                "http://localhost" + number,
                "http://localhost",
                "http://127.0.0.1",
                "https://127.0.0.1" + number,
                "http://127.0.0.1:1",
                "http://127.0.0.1" + number + "0",
                "http://evil.example" + number,
                "null",
                "")) {
            assertThat(port.with("Origin: " + other).get("/v1/elections").status())
                    .as(other)
                    .isEqualTo(403);
        }
        PlainHttp twice = port.with("Origin: http://" + port.host());
        assertThat(twice.get("/v1/elections").status()).isEqualTo(200);
        assertThat(twice.with("Origin: http://" + port.host())
                        .get("/v1/elections")
                        .status())
                .isEqualTo(403);
    }
}
