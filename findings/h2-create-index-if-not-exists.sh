#!/bin/bash
# H2: of two sessions that run `create index if not exists` at once, one fails with an internal error.
#
# H2 2.4.240. The statement looks whether the index is there, and only then waits for the lock of its table. A third session's open transaction on that table makes both wait here; without
# one, it depends on the moment: when six programs that start together made their tables at once, one or two of the six failed. `create table if not exists` waits first, and both succeed;
# so what makes an index safely in a program's start is a constraint within the table's own statement.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>com.h2database</groupId><artifactId>h2</artifactId><version>2.4.240</version></dependency>
  </dependencies>
</project>
POM
cat > Seen.java << 'JAVA'
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class Seen {
    private static final String URL = "jdbc:h2:mem:seen;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000";

    public static void main(String[] args) throws Exception {
        try (Connection third = DriverManager.getConnection(URL); Statement statement = third.createStatement()) {
            statement.execute("create table job(id int primary key, lease varchar)");
            third.setAutoCommit(false);
            statement.execute("insert into job values(1, 'a')");
            ExecutorService sessions = Executors.newFixedThreadPool(2);
            Future<String> one = sessions.submit(Seen::makes);
            Future<String> other = sessions.submit(Seen::makes);
            Thread.sleep(1_000);
            third.commit();
            System.out.println(one.get());
            System.out.println(other.get());
            sessions.shutdown();
        }
    }

    private static String makes() throws SQLException {
        try (Connection session = DriverManager.getConnection(URL); Statement statement = session.createStatement()) {
            statement.execute("create index if not exists by_lease on job(lease)");
            return "made, or found";
        } catch (SQLException failure) {
            return failure.getErrorCode() + " " + failure.getMessage().lines().findFirst().orElse("");
        }
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
javac -cp "$(cat classpath)" Seen.java
java -cp "$(cat classpath):." Seen | sort | tee seen
[ "$(grep -c '^made, or found' seen)" = 1 ] && grep -q '^50000 General error: .*object already exists: BY_LEASE' seen && echo 'as described'
