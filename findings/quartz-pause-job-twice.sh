#!/bin/bash
# Quartz, clustered: after one pause of a node, two nodes run a job at once that @DisallowConcurrentExecution forbids to run twice, and do so long after the pause.
#
# Quartz 2.5.2, JobStoreTX on H2 2.4.240, two nodes, a check-in each second. A node is stopped while it runs the job, until the other one takes over and runs the job, too. That much
# is to be expected. But when the first node's run ends, it sets all the job's triggers from blocked to waiting, though they are blocked by the other node's run. So it starts
# the job beside that run, and the end of that one sets the triggers free beside the new run, and so on. As long as a run takes longer than its interval, there is never
# one run at a time again.
set -eu
work=$(mktemp -d)
pids=()
end() {
  for pid in "${pids[@]}"; do kill -9 "$pid" 2> /dev/null || true; done
  wait 2> /dev/null
  rm -rf "$work"
}
trap end EXIT
cd "$work"
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.quartz-scheduler</groupId><artifactId>quartz</artifactId><version>2.5.2</version></dependency>
    <dependency><groupId>com.zaxxer</groupId><artifactId>HikariCP</artifactId><version>6.3.0</version></dependency>
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId><version>2.4.240</version></dependency>
  </dependencies>
</project>
POM
cat > Tables.java << 'JAVA'
import java.io.InputStreamReader;
import java.io.Reader;
import java.sql.Connection;
import java.sql.DriverManager;

class Tables {
    public static void main(String[] args) throws Exception {
        try (Connection connection = DriverManager.getConnection(args[0]);
                Reader script = new InputStreamReader(org.quartz.Scheduler.class.getResourceAsStream("/org/quartz/impl/jdbcjobstore/tables_h2.sql"))) {
            org.h2.tools.RunScript.execute(connection, script);
        }
    }
}
JAVA
cat > Node.java << 'JAVA'
import java.util.Properties;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

public class Node {
    static String id;

    /** Takes three seconds, and is due twice a second. */
    @DisallowConcurrentExecution
    public static class Work implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            long begun = System.currentTimeMillis();
            System.out.println("begins " + id + " " + begun);
            try {
                Thread.sleep(3000);
            } catch (InterruptedException ended) {
                return;
            }
            System.out.println("ran " + id + " " + begun + " " + System.currentTimeMillis());
        }
    }

    public static void main(String[] args) throws Exception {
        id = args[0];
        Properties of = new Properties();
        of.setProperty("org.quartz.scheduler.instanceName", "seen");
        of.setProperty("org.quartz.scheduler.instanceId", id);
        of.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        of.setProperty("org.quartz.threadPool.threadCount", "3");
        of.setProperty("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
        of.setProperty("org.quartz.jobStore.driverDelegateClass", "org.quartz.impl.jdbcjobstore.StdJDBCDelegate");
        of.setProperty("org.quartz.jobStore.dataSource", "h2");
        of.setProperty("org.quartz.jobStore.isClustered", "true");
        of.setProperty("org.quartz.jobStore.clusterCheckinInterval", "1000");
        of.setProperty("org.quartz.dataSource.h2.provider", "hikaricp");
        of.setProperty("org.quartz.dataSource.h2.driver", "org.h2.Driver");
        of.setProperty("org.quartz.dataSource.h2.URL", args[1]);
        of.setProperty("org.quartz.dataSource.h2.user", "");
        of.setProperty("org.quartz.dataSource.h2.password", "");
        Scheduler scheduler = new StdSchedulerFactory(of).getScheduler();
        if (!scheduler.checkExists(JobKey.jobKey("work"))) {
            scheduler.scheduleJob(
                    JobBuilder.newJob(Work.class).withIdentity("work").build(),
                    TriggerBuilder.newTrigger()
                            .withIdentity("often")
                            .withSchedule(SimpleScheduleBuilder.simpleSchedule().withIntervalInMilliseconds(500).repeatForever())
                            .build());
        }
        scheduler.start();
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
classpath=$(cat classpath):.
javac -cp "$classpath" Tables.java Node.java
: > listening
java -cp "$classpath" org.h2.tools.Server -tcp -tcpPort 0 -ifNotExists -baseDir "$work" > listening 2>&1 &
pids+=($!)
until grep -q 'tcp://' listening; do sleep 0.1; done
url="jdbc:h2:tcp://127.0.0.1:$(sed -n 's/.*:\([0-9]*\) (.*/\1/p' listening)/./seen;DB_CLOSE_DELAY=-1"
java -cp "$classpath" Tables "$url"
java -cp "$classpath" Node A "$url" > a.log 2> a.errors &
a=$!
pids+=("$a")
until grep -q begins a.log; do sleep 0.1; done
java -cp "$classpath" Node B "$url" > b.log 2> b.errors &
pids+=($!)
sleep 12
runs=$(grep -c begins a.log) || true
until [ "$(grep -c begins a.log)" -gt "$runs" ]; do sleep 0.05; done
stopped=$(date +%s%3N)
runs=$(grep -c begins b.log) || true
kill -STOP "$a"
for _ in $(seq 300); do [ "$(grep -c begins b.log)" -gt "$runs" ] && break; sleep 0.1; done
sleep 1
kill -CONT "$a"
went_on=$(date +%s%3N)
sleep 40
overlaps() { # FROM TO: pairs of finished runs of both nodes that overlap and begin within
  awk -v from="$1" -v to="$2" '$1 == "ran" && $3 >= from && $3 < to { id[++n] = $2; b[n] = $3; e[n] = $4 }
    END { for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (id[i] != id[j] && b[i] < e[j] && b[j] < e[i]) c++; print c + 0 }' a.log b.log
}
before=$(overlaps 0 "$((stopped - 3000))")
after=$(overlaps "$((went_on + 5000))" 9999999999999)
echo "pause: $(((went_on - stopped) / 1000)) s; pairs of runs on both nodes at once: before the pause $before, from 5 s to 40 s after it $after"
[ "$before" = 0 ] && [ "$after" -ge 5 ] && echo 'as described'
