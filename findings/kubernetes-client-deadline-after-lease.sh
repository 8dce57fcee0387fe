#!/bin/bash
# Kubernetes' official Java client: a leader that cannot renew ends after the retry period and the renew deadline, one after the other, which may be longer than the lease.
#
# client-java-extended 25.0.0, LeaderElector with a Lease, 6 s, 5 s, 4 s, on two kube-apiservers 1.20.2 (Debian 12's source, built by scripts/build-kube-apiserver) on one etcd. The elector checks
# that the lease is longer than the deadline, and the deadline longer than the retry period, and takes these settings. But the deadline begins with the attempt to renew, a retry period after the last
# renewal. The leader's API server does not answer any more; the other candidate, which retries each half second, takes the Lease when it ends, and the old leader has seconds left.
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
curl -sk -o first -H 'Authorization: Bearer secret' -H 'Content-Type: application/json' "https://127.0.0.1:$((port + 3))/apis/coordination.k8s.io/v1/namespaces/default/leases" \
  -d '{"metadata": {"name": "first"}}' # in this build (Kubernetes 1.20, Go 1.19), replacing a Lease fails if no simpler object came first
cat > pom.xml << 'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>seen</groupId><artifactId>seen</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>io.kubernetes</groupId><artifactId>client-java-extended</artifactId><version>25.0.0</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>2.0.17</version></dependency>
  </dependencies>
</project>
POM
cat > Member.java << 'JAVA'
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import java.time.Duration;

class Member {
    public static void main(String[] args) throws Exception {
        ApiClient client = new ClientBuilder()
                .setBasePath(args[1])
                .setVerifyingSsl(false)
                .setAuthentication(new AccessTokenAuthentication("secret"))
                .build();
        LeaderElectionConfig config = new LeaderElectionConfig(
                new LeaseLock("default", "seen", args[0], client), Duration.ofSeconds(6), Duration.ofSeconds(5), Duration.ofMillis(Integer.parseInt(args[2])));
        new LeaderElector(config).run(() -> say("leads"), () -> say("no longer leads"), leader -> say("hears that the leader is " + leader));
    }

    private static void say(String what) {
        System.out.println(System.currentTimeMillis() + " " + what);
    }
}
JAVA
mvn -B -q dependency:build-classpath -Dmdep.outputFile=classpath
classpath=$(cat classpath):.
javac -cp "$classpath" Member.java
member() { # NAME PORT RETRY_PERIOD
  : > "$1.log"
  java -cp "$classpath" Member "$1" "https://127.0.0.1:$2" "$3" > "$1.log" 2> "$1.errors" &
  pids+=($!)
}
await() { # SECONDS FILE TEXT
  for _ in $(seq $(($1 * 10))); do grep -q "$3" "$2" && return; sleep 0.1; done
  echo "no '$3' within $1 s"
  return 1
}
at() { awk -v text="$2" 'index($0, " " text) { print $1; exit }' "$1.log"; } # the time of NAME's first TEXT
renewal() { curl -sk -H 'Authorization: Bearer secret' "https://127.0.0.1:$((port + 3))/apis/coordination.k8s.io/v1/namespaces/default/leases/seen" | grep '"renewTime": '; }
member one $((port + 2)) 4000
await 60 one.log ' leads'
member other $((port + 3)) 500
await 60 other.log 'hears that'
renewed=$(renewal)
until [ "$(renewal)" != "$renewed" ]; do sleep 0.1; done
last=$(date +%s%3N)
sleep 1
kill -STOP "$mute"
await 60 one.log 'no longer leads'
await 60 other.log ' leads'
ended=$(at one 'no longer leads')
echo "after the last renewal, the other one leads after $(($(at other 'leads') - last)) ms, and the old leader ends after $((ended - last)) ms; the lease is 6000 ms"
[ $((ended - last)) -gt 8000 ] && [ "$(at other 'leads')" -lt "$ended" ] && echo 'as described'
