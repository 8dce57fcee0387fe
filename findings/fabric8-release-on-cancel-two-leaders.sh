#!/bin/bash
# fabric8's Kubernetes client: with releaseOnCancel, a leader that reaches nobody leads on beside its successor, since it asks the API server once more before it is told to end.
#
# kubernetes-client 8.0.0, LeaderElector with a Lease, 15 s, 10 s, 2 s, releaseOnCancel, on two kube-apiservers 1.20.2 (Debian 12's source, built by scripts/build-kube-apiserver) on one etcd. The
# leader's API server does not answer any more, as in a partition; the other candidate's does. At the renew deadline, the elector reads the Lease to release it, and only then calls
# onStopLeading. The read waits for the client's request timeout, 10 s by default, and the lease ends meanwhile. Without releaseOnCancel, the call comes at once.
set -eu
findings=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
pids=()
end() {
  for pid in "${pids[@]}"; do kill -9 "$pid" 2> /dev/null || true; done
  wait 2> /dev/null
  rm -rf "$work"
}
trap end EXIT
"$findings/../scripts/build-kube-apiserver"
apiserver=${XDG_CACHE_HOME:-$HOME/.cache}/incumbent/kube-apiserver
cd "$work"
mkdir deb root && chmod 755 . && chmod 777 deb # apt downloads as a user of its own
(cd deb && apt-get download -q etcd-server=3.4.23-4+b4 > /dev/null)
dpkg -x deb/*.deb root
port=$((20000 + RANDOM % 10000))
etcd=http://127.0.0.1:$port
root/usr/bin/etcd --data-dir data --name seen --listen-client-urls "$etcd" --advertise-client-urls "$etcd" --listen-peer-urls "http://127.0.0.1:$((port + 1))" \
  --initial-advertise-peer-urls "http://127.0.0.1:$((port + 1))" --initial-cluster "seen=http://127.0.0.1:$((port + 1))" > etcd.log 2>&1 &
pids+=($!)
openssl genrsa -out key 2048 2> /dev/null
echo 'secret,admin,1,system:masters' > tokens
serve() { # PORT
  "$apiserver" "--etcd-servers=$etcd" --bind-address=127.0.0.1 "--secure-port=$1" "--cert-dir=certificates-$1" --token-auth-file=tokens --authorization-mode=RBAC \
    --service-account-issuer=https://local --service-account-signing-key-file=key --service-account-key-file=key --service-cluster-ip-range=10.0.0.0/24 > "apiserver-$1.log" 2>&1 &
  pids+=($!)
  for _ in $(seq 300); do curl -sk -H 'Authorization: Bearer secret' "https://127.0.0.1:$1/readyz" | grep -q ok && return; sleep 0.2; done
  cat "apiserver-$1.log"
  return 1
}
serve $((port + 2))
mute=${pids[-1]}
serve $((port + 3))
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>io.fabric8</groupId><artifactId>kubernetes-client</artifactId><version>8.0.0</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>2.0.17</version></dependency>
  </dependencies>
</project>
POM
cat > Member.java << 'JAVA'
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;

class Member {
    public static void main(String[] args) {
        Config to = new ConfigBuilder(Config.empty())
                .withMasterUrl(args[1])
                .withTrustCerts(true)
                .withOauthToken("secret")
                .withNamespace("default")
                .build();
        KubernetesClient client = new KubernetesClientBuilder().withConfig(to).build();
        LeaderElectionConfig config = new LeaderElectionConfigBuilder()
                .withName("seen")
                .withLock(new LeaseLock("default", args[2], args[0]))
                .withLeaseDuration(Duration.ofSeconds(15))
                .withRenewDeadline(Duration.ofSeconds(10))
                .withRetryPeriod(Duration.ofSeconds(2))
                .withReleaseOnCancel(Boolean.parseBoolean(args[3]))
                .withLeaderCallbacks(new LeaderCallbacks(() -> say("leads"), () -> say("no longer leads"), leader -> say("hears that the leader is " + leader)))
                .build();
        client.leaderElector().withConfig(config).build().run();
        System.exit(0);
    }

    private static void say(String what) {
        System.out.println(System.currentTimeMillis() + " " + what);
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
classpath=$(cat classpath):.
javac -cp "$classpath" Member.java
member() { # NAME PORT LEASE RELEASE_ON_CANCEL
  : > "$1.log"
  java -cp "$classpath" Member "$1" "https://127.0.0.1:$2" "$3" "$4" > "$1.log" 2> "$1.errors" &
  pids+=($!)
}
await() { # SECONDS FILE TEXT
  for _ in $(seq $(($1 * 10))); do grep -q "$3" "$2" && return; sleep 0.1; done
  echo "no '$3' within $1 s"
  return 1
}
at() { awk -v text="$2" 'index($0, " " text) { print $1; exit }' "$1.log"; } # the time of NAME's first TEXT
for release in true false; do
  member "one-$release" $((port + 2)) "lease-$release" "$release"
  await 60 "one-$release.log" ' leads'
  member "other-$release" $((port + 3)) "lease-$release" "$release"
  await 60 "other-$release.log" 'hears that'
  sleep 3
  kill -STOP "$mute"
  stopped=$(date +%s%3N)
  await 120 "one-$release.log" 'no longer leads'
  await 60 "other-$release.log" ' leads'
  kill -CONT "$mute"
  ended=$(at "one-$release" 'no longer leads')
  both=$((ended - $(at "other-$release" 'leads')))
  echo "releaseOnCancel $release: the old leader is told to end $((ended - stopped)) ms after its API server's last answer, $(if [ "$both" -gt 0 ]; then echo "and both lead for $both ms"; else echo "$((-both)) ms before the other one leads"; fi)" | tee "out-$release"
done
grep -q 'both lead for [0-9]\{4\}' out-true && grep -q 'before the other' out-false && echo 'as described'
