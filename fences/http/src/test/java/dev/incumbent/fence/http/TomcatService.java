package dev.incumbent.fence.http;

import dev.incumbent.servers.TemporaryFolder;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** On Tomcat, behind the servlet filter. */
final class TomcatService implements Service {
    /** Its reports of threads that belong to the tests say nothing; held here, since loggers that nobody holds forget their level. */
    private static final Logger REPORTS = Logger.getLogger("org.apache");

    /** It writes the first line of a header that it cannot read to its log, be it that of the secret. */
    private static final Logger LINES = Logger.getLogger("org.apache.coyote.http11.Http11Processor");

    /** The property that has it log as Tomcat does by default. */
    static final String LOGS = "tomcat.logs";

    private final TemporaryFolder folder = TemporaryFolder.create("tomcat");
    private final Tomcat tomcat = new Tomcat();

    TomcatService(HttpFence fence, Ledger ledger) {
        this(fence, new Taking(ledger), DispatcherType.REQUEST);
    }

    /** With one servlet at every path, which may be asynchronous; the filter sees what is dispatched in these ways. */
    TomcatService(HttpFence fence, HttpServlet servlet, DispatcherType... seen) {
        LINES.setLevel(Level.WARNING);
        if (!Boolean.getBoolean(LOGS)) {
            REPORTS.setLevel(Level.SEVERE);
        }
        tomcat.setBaseDir(folder.path().toString());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getEngine().setName(folder.path().getFileName().toString()); // its beans' domain: several run in one JVM
        tomcat.getHost().getPipeline().addValve(errorPages());
        Context context = tomcat.addContext("", folder.path().toString());
        Tomcat.addServlet(context, "ledger", servlet).setAsyncSupported(true);
        context.addServletMappingDecoded("/*", "ledger");
        FilterDef filter = new FilterDef();
        filter.setFilterName("fence");
        filter.setFilter(new FencingServletFilter(fence));
        filter.setAsyncSupported("true");
        context.addFilterDef(filter);
        FilterMap everywhere = new FilterMap();
        everywhere.setFilterName("fence");
        everywhere.addURLPattern("/*");
        Stream.of(seen).map(DispatcherType::name).forEach(everywhere::setDispatcher);
        context.addFilterMap(everywhere);
        try {
            tomcat.start();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Error pages that tell nobody a stack, as docs/sinks/http.md has it. */
    private static ErrorReportValve errorPages() {
        ErrorReportValve pages = new ErrorReportValve();
        pages.setShowReport(false);
        pages.setShowServerInfo(false);
        return pages;
    }

    private static final class Taking extends HttpServlet {
        private static final long serialVersionUID = 1L;
        private final transient Ledger ledger;

        Taking(Ledger ledger) {
            this.ledger = ledger;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            var out = response.getOutputStream();
            out.write("admitted\n".getBytes(StandardCharsets.UTF_8));
            response.flushBuffer();
            ledger.take(new BufferedReader(new InputStreamReader(request.getInputStream(), StandardCharsets.UTF_8)));
            out.write("done\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
        folder.close();
    }
}
