package dev.incumbent.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A rule that cannot fail says nothing: each one reports the violation planted for it, and lets its well-behaved neighbour pass. */
class PlantedViolationTest {
    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0}")
    @MethodSource("violations")
    void theRuleReportsWhatBreaksItAndNothingElse(String sentence, Planted planted, String... reported) {
        House house = planted.in(folder);

        List<String> violations = rule(sentence).violations().apply(house);

        assertThat(violations).hasSize(reported.length);
        for (String part : reported) {
            assertThat(violations).anySatisfy(violation -> assertThat(violation).contains(part));
        }
    }

    @Test
    void everyRuleHasItsPlantedViolation() {
        assertThat(violations().map(planted -> planted.get()[0]).distinct())
                .containsExactlyInAnyOrderElementsOf(
                        Rule.all().stream().map(Rule::sentence).toList());
    }

    private static Rule rule(String sentence) {
        return Rule.all().stream()
                .filter(rule -> rule.sentence().equals(sentence))
                .findFirst()
                .orElseThrow();
    }

    static Stream<Arguments> violations() {
        return Stream.of(modules(), floors(), calls(), forms(), shapes(), repository(), pages(), PlantedTags.all())
                .flatMap(List::stream);
    }

    private static List<Arguments> modules() {
        return List.of(
                broken(
                        "every module was compiled before it is judged",
                        new Planted()
                                .source("core/protocol", "dev.incumbent.model", "A", "class A {}")
                                .uncompiled(),
                        "protocol"),
                broken(
                        "every module has its floor in the table",
                        new Planted()
                                .source("attic", "dev.incumbent.attic", "A", "class A {}")
                                .file("programs/cli", "x", ""),
                        "attic"),
                broken(
                        "a folder stands for a floor or a side",
                        new Planted()
                                .file("core/cli", "x", "")
                                .file("bom", "x", "")
                                .source("coordinators/etcd", "dev.incumbent.fence.etcd", "A", "class A {}")
                                .source("fences/etcd", "dev.incumbent.fence.etcd", "B", "class B {}"),
                        "core/cli",
                        "coordinators/etcd"),
                broken(
                        "the root lists these tests last, so that all is compiled when they run",
                        new Planted()
                                .file("testing/architecture-tests", "x", "")
                                .file("programs/cli", "x", ""),
                        "cli"));
    }

    private static List<Arguments> floors() {
        return List.of(
                broken(
                        "a floor imports only floors beneath it",
                        new Planted()
                                .source(
                                        "core/protocol",
                                        "dev.incumbent.model",
                                        "Low",
                                        "public class Low { dev.incumbent.time.High h; }")
                                .source(
                                        "core/coordinator",
                                        "dev.incumbent.time",
                                        "High",
                                        "public class High { dev.incumbent.model.Low l; }")
                                .source(
                                        "core/fence",
                                        "dev.incumbent.fence",
                                        "Beside",
                                        "class Beside { dev.incumbent.time.High h; }"),
                        "Low.h",
                        "Beside.h"),
                broken(
                        "floors 0 to 2 import no third party but wire its JSON",
                        new Planted()
                                .source("core/wire", "dev.incumbent.wire", "W", "class W { javax.sql.DataSource d; }")
                                .source(
                                        "core/fence",
                                        "dev.incumbent.fence",
                                        "A",
                                        "class A { javax.sql.DataSource d; java.util.List<A> l; }")
                                .source(
                                        "fences/sql",
                                        "dev.incumbent.fence.sql",
                                        "B",
                                        "class B { javax.sql.DataSource d; }"),
                        "A.d",
                        "W.d"),
                broken(
                        "floors 0 to 2 carry a module descriptor",
                        new Planted()
                                .source("core/protocol", "dev.incumbent.model", "A", "class A {}")
                                .file("core/fence", "src/main/java/module-info.java", "module dev.incumbent.fence {}")
                                .file("testing/fence-tck", "x", ""),
                        "protocol"),
                broken(
                        "no cycle of packages",
                        new Planted()
                                .source(
                                        "programs/cli",
                                        "dev.incumbent.one",
                                        "A",
                                        "public class A { dev.incumbent.two.B b; }")
                                .source(
                                        "programs/cli",
                                        "dev.incumbent.two",
                                        "B",
                                        "public class B { dev.incumbent.one.A a; }")
                                .source(
                                        "programs/cli",
                                        "dev.incumbent.three",
                                        "C",
                                        "public class C { dev.incumbent.one.A a; }"),
                        "dev.incumbent.one"));
    }

    private static List<Arguments> calls() {
        return List.of(
                broken(
                        "the clock is read in SystemTimeline alone",
                        new Planted()
                                .source(
                                        "core/coordinator",
                                        "dev.incumbent.time",
                                        "SystemTimeline",
                                        "class SystemTimeline { long n = System.nanoTime(); }")
                                .source("programs/cli", "dev.incumbent.cli", "A", """
                                        class A {
                                            long nanos = System.nanoTime();
                                            long millis = System.currentTimeMillis();
                                            Object instant = java.time.Instant.now();
                                            Object day = java.time.LocalDateTime.now();
                                            Object clock = java.time.Clock.systemUTC();
                                            Object date = new java.util.Date();
                                            Object harmless = new java.util.Date(7);
                                            java.util.function.LongSupplier hidden = System::nanoTime;
                                        }
                                        """),
                        "System.nanoTime",
                        "System.nanoTime",
                        "System.currentTimeMillis",
                        "Instant.now",
                        "LocalDateTime.now",
                        "Clock.systemUTC",
                        "java.util.Date.<init>()"),
                broken(
                        "main sources sleep in SystemTimeline alone",
                        new Planted().source("programs/cli", "dev.incumbent.cli", "A", sleeper()),
                        "Thread.sleep",
                        "TimeUnit.sleep"),
                broken(
                        "no test sleeps",
                        new Planted()
                                .file(
                                        "programs/cli",
                                        "src/test/java/dev/incumbent/cli/A.java",
                                        "package dev.incumbent.cli;" + sleeper()),
                        "Thread.sleep",
                        "TimeUnit.sleep"),
                broken(
                        "a store's JDBC driver is made, and not looked up",
                        new Planted()
                                .source("fences/sql", "dev.incumbent.fence.sql", "A", opener())
                                .source("programs/cli", "dev.incumbent.cli", "A", opener()),
                        "DriverManager.getConnection"),
                broken(
                        "the protocol is pure: java.util without concurrent, java.time",
                        new Planted()
                                .source(
                                        "core/protocol",
                                        "dev.incumbent.protocol",
                                        "A",
                                        "class A { Thread t; java.util.concurrent.Executor e; java.util.Random r; java.io.File f;"
                                                + " java.util.List<String> l; java.time.Duration d; }")
                                .source(
                                        "core/peers",
                                        "dev.incumbent.peers.raft",
                                        "B",
                                        "class B { java.util.Random dice; }"),
                        "A.t",
                        "A.e",
                        "A.r",
                        "A.f",
                        "B.dice"));
    }

    private static List<Arguments> forms() {
        return List.of(
                broken(
                        "no class has a name that says nothing",
                        new Planted()
                                .source("programs/cli", "dev.incumbent.cli", "TimeUtils", "class TimeUtils {}")
                                .source("programs/cli", "dev.incumbent.cli", "AbstractVerb", "class AbstractVerb {}")
                                .source(
                                        "programs/cli",
                                        "dev.incumbent.cli",
                                        "Outer",
                                        "class Outer { class LeaseManager {} class Baseline {} }")
                                .file(
                                        "programs/cli",
                                        "src/test/java/dev/incumbent/cli/FileHelper.java",
                                        "package dev.incumbent.cli; class FileHelper {}"),
                        "TimeUtils",
                        "AbstractVerb",
                        "LeaseManager",
                        "FileHelper"),
                broken(
                        "what a world replays iterates in an order that no hash decides",
                        new Planted()
                                .source("core/protocol", "dev.incumbent.protocol", "A", """
                                        import java.util.*;
                                        import java.util.function.Supplier;
                                        import java.util.stream.*;
                                        class A {
                                            Map<String, String> hashed = new HashMap<>();
                                            Supplier<Set<String>> hidden = HashSet::new;
                                            Set<String> copied = Set.copyOf(List.of("a", "b"));
                                            Map<String, String> salted = Map.of("a", "b", "c", "d");
                                            Set<String> collected = Stream.of("a").collect(Collectors.toSet());
                                            Set<String> many = Set.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k");
                                            Map<String, String> ordered = new LinkedHashMap<>(new TreeMap<>());
                                            Set<String> one = Set.of("a");
                                            Map<String, String> single = Map.of("a", "b");
                                            Set<String> none = Set.of();
                                        }
                                        """)
                                .source(
                                        "programs/cli",
                                        "dev.incumbent.cli",
                                        "B",
                                        "class B { java.util.Set<String> s = new java.util.HashSet<>(); }"),
                        "HashMap.<init>",
                        "HashSet.<init>",
                        "Set.copyOf",
                        "Map.of",
                        "Collectors.toSet",
                        "Set.of"),
                broken(
                        "no static holds state",
                        new Planted()
                                .source(
                                        "programs/cli",
                                        "dev.incumbent.cli",
                                        "A",
                                        "class A { static int count; static final java.util.HashMap<String, String> CACHE = new java.util.HashMap<>();"
                                                + " static final java.util.concurrent.atomic.AtomicLong N = new java.util.concurrent.atomic.AtomicLong();"
                                                + " static final int CONSTANT = 7; enum E { X } int field; }"),
                        "count",
                        "CACHE",
                        "A.N"));
    }

    private static List<Arguments> shapes() {
        String statements = "  ;\n".repeat(80);
        return List.of(
                broken(
                        "no file has more than 500 lines",
                        new Planted()
                                .source("programs/cli", "dev.incumbent.cli", "A", "class A {" + "\n".repeat(500) + "}")
                                .source("programs/cli", "dev.incumbent.cli", "B", "class B {" + "\n".repeat(400) + "}"),
                        "A.java has 502 lines"),
                broken(
                        "no method has more than 70 lines",
                        new Planted()
                                .source(
                                        "programs/cli",
                                        "dev.incumbent.cli",
                                        "A",
                                        "class A { void far() {\n" + statements + "}\nvoid short_() {}}"),
                        "far has 82 lines"),
                broken(
                        "no method takes more than 5 parameters; a record's constructor may",
                        new Planted()
                                .source(
                                        "programs/cli",
                                        "dev.incumbent.cli",
                                        "A",
                                        "class A { void six(int a, int b, int c, int d, int e, int f) {} void five(int a, int b, int c, int d, int e) {}\n"
                                                + "record R(int a, int b, int c, int d, int e, int f) { R(int a, int b, int c, int d, int e, int f) { this.a = a; this.b = b;"
                                                + " this.c = c; this.d = d; this.e = e; this.f = f; } } }"),
                        "six takes 6"),
                broken(
                        "every public type has Javadoc",
                        new Planted()
                                .source(
                                        "programs/cli",
                                        "dev.incumbent.cli",
                                        "A",
                                        "public class A { public enum Inner { X } }")
                                .source("programs/cli", "dev.incumbent.cli", "B", "/** Is told. */ public class B {}")
                                .source("programs/cli", "dev.incumbent.cli", "C", "class C {}"),
                        "public A",
                        "public Inner"),
                broken(
                        "the protocol knows no volatile and no synchronized",
                        new Planted()
                                .source(
                                        "core/protocol",
                                        "dev.incumbent.protocol",
                                        "A",
                                        "class A { volatile int v; synchronized void m() { } void n() { synchronized (this) { } } }")
                                .source("programs/cli", "dev.incumbent.cli", "B", "class B { volatile int v; }"),
                        "volatile v",
                        "synchronized m",
                        "a synchronized block"),
                broken(
                        "every package says what lives in it",
                        new Planted()
                                .source("programs/cli", "dev.incumbent.cli", "A", "class A {}")
                                .source("programs/cli", "dev.incumbent.told", "B", "class B {}")
                                .source("programs/cli", "dev.incumbent.told", "package-info", ""),
                        "cli dev.incumbent.cli"));
    }

    private static List<Arguments> repository() {
        return List.of(
                broken(
                        "the README has at most 120 lines",
                        new Planted().beside("README.md", "line\n".repeat(121)).file("programs/cli", "x", ""),
                        "121 lines"),
                broken(
                        "an application brings its SQL driver, all but SQLite's",
                        new Planted()
                                .file(
                                        "coordinators/sql",
                                        "pom.xml",
                                        dependency("postgresql", "") + dependency("sqlite-jdbc", ""))
                                .file("fences/sql", "pom.xml", dependency("h2", "<scope>runtime</scope>"))
                                .file("coordinators/redis", "pom.xml", dependency("h2", "<optional>true</optional>"))
                                .file("fences/redis", "pom.xml", dependency("h2", "<scope>test</scope>"))
                                .file("programs/cli", "pom.xml", dependency("h2", "")),
                        "coordinators/sql/pom.xml brings",
                        "fences/sql/pom.xml brings"),
                broken(
                        "Maven's own switch skips the tests",
                        new Planted()
                                .file("core/fence", "pom.xml", "<skipTests>${tests.skip}</skipTests>")
                                .file("core/wire", "pom.xml", "<maven.test.skip>false</maven.test.skip>")
                                .file("core/calls", "pom.xml", "<skipExec>${tests.skip}</skipExec>"),
                        "core/fence/pom.xml sets <skipTests>",
                        "core/wire/pom.xml sets <maven.test.skip>"),
                broken(
                        "a module is not published, or says what it is and is in the BOM",
                        new Planted()
                                .file("bom", "pom.xml", artifact("x", "") + artifact("y", "") + artifact("z", ""))
                                .file("core/fence", "pom.xml", artifact("x", "<description>X.</description>"))
                                .file("core/wire", "pom.xml", artifact("y", "<release.skip>true</release.skip>"))
                                .file("core/beats", "pom.xml", artifact("z", ""))
                                .file("core/calls", "pom.xml", artifact("new", "<description>New.</description>"))
                                .file("testing/lab", "pom.xml", artifact("lab", "<release.skip>true</release.skip>")),
                        "core/wire/pom.xml is in the BOM, and not published",
                        "core/beats/pom.xml has no description",
                        "core/calls/pom.xml is not in the BOM"),
                broken(
                        "the library takes no XML and no YAML",
                        new Planted()
                                .file("coordinators/sql", "src/main/resources/pool.yml", "")
                                .file("core/fence", "src/main/resources/a/b.xml", "")
                                .file("agent", "src/main/resources/agent.yaml", ""),
                        "pool.yml",
                        "b.xml"),
                broken(
                        "no C source has more than 500 lines",
                        new Planted()
                                .beside("programs/supervisor/a.c", "\n".repeat(501))
                                .file("programs/cli", "x", ""),
                        "a.c has 501 lines"));
    }

    private static List<Arguments> pages() {
        return List.of(
                broken(
                        "every link of a page leads somewhere",
                        new Planted()
                                .file("programs/cli", "x", "")
                                .beside(
                                        "docs/a.md",
                                        "# A b: `c`\n[here](b.md) [top](#a-b-c) [gone](c.md) [web](https://x.org)")
                                .beside("docs/b.md", "[no such place](a.md#nowhere) [there](a.md#a-b-c)")
                                .beside("docs/decisions/0001-x.md", "[what is gone](gone.md)"),
                        "docs/a.md links to ](c.md)",
                        "docs/b.md links to ](a.md#nowhere)"),
                broken(
                        "every program that a page names is there",
                        new Planted()
                                .file("programs/cli", "x", "")
                                .beside("scripts/there", "")
                                .beside("README.md", "`scripts/there now`, `scripts/not-there`, `spec/Election.tla`"),
                        "README.md names scripts/not-there"));
    }

    private static String dependency(String artifact, String more) {
        return "<dependency>\n<artifactId>" + artifact + "</artifactId>" + more + "</dependency>";
    }

    private static String artifact(String id, String more) {
        return "</parent>\n<artifactId>" + id + "</artifactId>" + more;
    }

    private static String opener() {
        return "class A { Object open() throws Exception { return java.sql.DriverManager.getConnection(\"\"); } }";
    }

    private static String sleeper() {
        return "class A { void a() throws Exception { Thread.sleep(1); java.util.concurrent.TimeUnit.SECONDS.sleep(1); } }";
    }

    static Arguments broken(String sentence, Planted planted, String... reported) {
        return Arguments.of(sentence, planted, reported);
    }
}
