package dev.incumbent.architecture;

import java.util.List;
import org.junit.jupiter.params.provider.Arguments;

/** Tests without the tag that they need, with a tag that does not exist, and their well-behaved neighbours. */
final class PlantedTags {
    private static final String REAL_TIME = "a test that meets real time says so by a tag";
    private static final String UNKNOWN = "a tag is one of those that docs/testing.md describes";
    private static final String IMPORTS = """
            import dev.incumbent.coordinator.*;
            import dev.incumbent.model.*;
            import dev.incumbent.servers.*;
            import dev.incumbent.time.*;
            import org.junit.jupiter.api.*;
            """;

    private PlantedTags() {}

    static List<Arguments> all() {
        return List.of(wires(), waysThere(), processes(), leases(), tagged(), unknown());
    }

    private static Arguments wires() {
        return PlantedViolationTest.broken(
                REAL_TIME,
                test("WireTest", """
                        class WireTest {
                            TcpProxy wire;
                            @Test void cuts() { wire.cut(); }
                            @RepeatedTest(2) void slows() { wire.slow(); }
                            @org.junit.jupiter.params.ParameterizedTest void holds(int some) { wire.hold(); }
                            @TestFactory Object resets() { wire.reset(); return null; }
                            @Test void slowsAnswers() { wire.slowAnswers(); }
                            @Test void loses() { wire.loseNextAnswer(); }
                            @Test void leadsElsewhere() { wire.leadTo(7); }
                            @Test void opens() { TcpProxy.to(7); }
                            @Test void opensAWireForAClient() { new dev.incumbent.adverse.Wires().connect(); }
                            @Test void heals() { wire.heal(); }
                            @Test void callsAnInterface() { Rig rig = new WiredRig(wire); rig.cut(); }
                            void isNoTest() { wire.cut(); }
                            interface Rig { void cut(); }
                            record WiredRig(TcpProxy wire) implements Rig { public void cut() { wire.cut(); } }
                        }
                        """),
                "coordinators/etcd/WireTest.cuts reaches TcpProxy.cut: tag it realtime, or patient if it waits for nothing",
                "WireTest.slows reaches TcpProxy.slow:",
                "WireTest.holds reaches TcpProxy.hold:",
                "WireTest.resets reaches TcpProxy.reset:",
                "WireTest.slowsAnswers reaches TcpProxy.slowAnswers:",
                "WireTest.loses reaches TcpProxy.loseNextAnswer:",
                "WireTest.leadsElsewhere reaches TcpProxy.leadTo:",
                "WireTest.opens reaches TcpProxy.to:");
    }

    private static Arguments waysThere() {
        return PlantedViolationTest.broken(
                REAL_TIME,
                test("Trouble", "class Trouble { TcpProxy wire; void begin() { wire.cut(); } }")
                        .test("coordinators/redis", "dev.incumbent.coordinator.redis", "Elsewhere", IMPORTS + """
                                public class Elsewhere { public static void cut(TcpProxy wire) { wire.cut(); } }
                                """)
                        .source("testing/tck", "dev.incumbent.tck", "Troubles", IMPORTS + """
                                public class Troubles { public static void cut(TcpProxy wire) { wire.cut(); } }
                                """)
                        .source("programs/cli", "dev.incumbent.cli", "Program", IMPORTS + """
                                public class Program { public static void cut(TcpProxy wire) { wire.cut(); } }
                                """)
                        .test("coordinators/etcd", "dev.incumbent.coordinator.etcd", "WayTest", IMPORTS + """
                                class WayTest {
                                    TcpProxy wire;
                                    Runnable run;
                                    @Test void lambda() { run = () -> { Runnable inner = () -> wire.cut(); inner.run(); }; }
                                    @Test void reference() { run = wire::cut; }
                                    @Test void helper() { new Trouble().begin(); }
                                    @Test void kit() { dev.incumbent.tck.Troubles.cut(wire); }
                                    @Test void programsAreNotFollowed() { dev.incumbent.cli.Program.cut(wire); }
                                    @Test void otherModulesAreNotFollowed() { dev.incumbent.coordinator.redis.Elsewhere.cut(wire); }
                                    static class FieldTest { Trouble trouble = new Trouble(); { trouble.begin(); } @Test void field() {} }
                                    static class StaticTest { static { new Trouble().begin(); } @Test void initializer() {} }
                                    static abstract class Frame {
                                        abstract void open();
                                        @BeforeEach void before() { open(); }
                                        @Test void inherited() {}
                                    }
                                    static class FramedTest extends Frame { void open() { new Trouble().begin(); } }
                                    static class OuterTest {
                                        @AfterEach void after() { new Trouble().begin(); }
                                        @Nested class Inner { @Test void nested() {} }
                                    }
                                }
                                """),
                "WayTest.lambda reaches TcpProxy.cut:",
                "WayTest.reference reaches TcpProxy.cut:",
                "WayTest.helper reaches TcpProxy.cut:",
                "WayTest.kit reaches TcpProxy.cut:",
                "WayTest.FieldTest.field reaches TcpProxy.cut:",
                "WayTest.StaticTest.initializer reaches TcpProxy.cut:",
                "WayTest.FramedTest.inherited reaches TcpProxy.cut:",
                "WayTest.OuterTest.Inner.nested reaches TcpProxy.cut:");
    }

    private static Arguments processes() {
        return PlantedViolationTest.broken(
                REAL_TIME,
                test("FreezeTest", """
                        class FreezeTest {
                            @Test void freezes() { new ServerProcess().freeze(); }
                            @Test void thaws() { new ServerProcess().thaw(); }
                            @Test void freezesAnElection() { new FreezeTest().freeze(); }
                            void freeze() {}
                        }
                        """),
                "FreezeTest.freezes reaches ServerProcess.freeze: tag it realtime, or patient if it waits for nothing");
    }

    private static Arguments leases() {
        return PlantedViolationTest.broken(
                REAL_TIME,
                test("LeaseTest", """
                        class LeaseTest {
                            static class RealTest {
                                SystemTimeline time = new SystemTimeline();
                                @Test void timing() { Timing.ofLease(6); }
                                @Test void ownTiming() { new Timing(6); }
                                @Test void grant() { Coordinator any = null; any.grant(6); }
                                @Test void grantOfOne() { new Store().grant(6); }
                                @Test void noLease() { new LeaseTest().grant(6); }
                            }
                            static class Store implements Coordinator { public void grant(int length) {} }
                            void grant(int length) {}
                            @Test void noRealTime() { Timing.ofLease(6); new Store().grant(6); }
                            @Test void timeOfAServerAlone() { new ServerProcess().await(); Timing.ofLease(6); }
                        }
                        """),
                "LeaseTest.RealTest.timing reaches SystemTimeline and Timing.ofLease: tag it realtime, or patient if its lease is at least a minute",
                "LeaseTest.RealTest.ownTiming reaches SystemTimeline and Timing:",
                "LeaseTest.RealTest.grant reaches SystemTimeline and Coordinator.grant:",
                "LeaseTest.RealTest.grantOfOne reaches SystemTimeline and LeaseTest.Store.grant:");
    }

    private static Arguments tagged() {
        return PlantedViolationTest.broken(
                REAL_TIME,
                test("TaggedTest", """
                        class TaggedTest {
                            static TcpProxy wire;
                            @Tag("realtime") @Test void realtime() { wire.cut(); }
                            @Tag("trial") @Test void trial() { wire.cut(); }
                            @Tag("release") @Test void release() { wire.cut(); }
                            @Tag("virtual") @Test void virtual() { wire.cut(); }
                            @Tag("patient") @Test void patient() { wire.cut(); }
                            @Tag("realtime") @Tag("release") @Test void two() { wire.cut(); }
                            @Test void none() { wire.cut(); }
                            @Tag("field") @Test void seen() { wire.cut(); }
                            @Tag("realtime") static class OfClass { @Test void one() { wire.cut(); } }
                            static class OfSuperclass extends OfClass { @Test void other() { wire.cut(); } }
                            static abstract class TaggedWhereItRuns { @Test void inherited() { wire.cut(); } }
                            @Tag("realtime") static class RunTest extends TaggedWhereItRuns {}
                            @Tag("realtime") static class Around { @Nested class Inner { @Test void nested() { wire.cut(); } } }
                        }
                        """),
                "TaggedTest.none reaches TcpProxy.cut:",
                "TaggedTest.seen reaches TcpProxy.cut:");
    }

    private static Arguments unknown() {
        return PlantedViolationTest.broken(
                UNKNOWN,
                test("TagTest", """
                        @Tag("slow") class TagTest {
                            @Tag("realtime") @Tag("Patient") @Test void one() {}
                            @Tag("virtual") static class Fine { @Tag("trial") @Tag("release") @Test void two() {} }
                        }
                        """).source("testing/tck", "dev.incumbent.tck", "Contract", IMPORTS + """
                                public class Contract { @Tag("flaky") @Test void sentence() {} @Tag("patient") @Test void other() {} }
                                """),
                "TagTest bears the tag slow",
                "TagTest.one bears the tag Patient",
                "Contract.sentence bears the tag flaky");
    }

    /** A test of a coordinator, beside all that the rules look for. */
    private static Planted test(String type, String text) {
        return new Planted()
                .source("core/protocol", "dev.incumbent.model", "Timing", """
                        public class Timing {
                            public Timing(int lease) {}
                            public static Timing ofLease(int lease) { return new Timing(lease); }
                        }
                        """)
                .source("core/coordinator", "dev.incumbent.time", "SystemTimeline", "public class SystemTimeline {}")
                .source("core/coordinator", "dev.incumbent.coordinator", "Coordinator", """
                        public interface Coordinator { void grant(int length); }
                        """)
                .source("testing/real-servers", "dev.incumbent.servers", "TcpProxy", """
                        public class TcpProxy {
                            public static TcpProxy to(int port) { return to("port " + port); }
                            public static TcpProxy to(String target) { return new TcpProxy(); }
                            public void cut() {}
                            public void slow() {}
                            public void hold() {}
                            public void reset() {}
                            public void slowAnswers() {}
                            public void loseNextAnswer() {}
                            public void leadTo(int port) {}
                            public void heal() {}
                        }
                        """)
                .source("testing/real-servers", "dev.incumbent.servers", "ServerProcess", """
                        public class ServerProcess {
                            public void freeze() {}
                            public void thaw() {}
                            public void await() { new dev.incumbent.time.SystemTimeline(); }
                        }
                        """)
                .source("testing/adverse-tck", "dev.incumbent.adverse", "Wires", """
                        public class Wires { public void connect() { dev.incumbent.servers.TcpProxy.to(7); } }
                        """)
                .test("coordinators/etcd", "dev.incumbent.coordinator.etcd", type, IMPORTS + text);
    }
}
