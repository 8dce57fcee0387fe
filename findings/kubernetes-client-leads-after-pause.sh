#!/bin/bash
# Kubernetes' official Java client: a leader that was paused, or whose Lease was deleted, leads on for the whole renew deadline after it has read that another one leads.
#
# client-java-extended 25.0.0, LeaderElector with a Lease, 15 s, 10 s, 2 s, on kube-apiserver 1.20.2 (Debian 12's source, built by scripts/build-kube-apiserver). The leader's process is stopped
# between two renewals, for longer than the lease, and another candidate takes it. When the first one goes on, it reads the Lease within the retry period, and its own hook tells that the other leads. But to
# the loop that renews, that is a failure like any other, to be tried again until the renew deadline. Only then does the hook for the end run. The same happens without any pause where the Lease is deleted and
# somebody else makes it anew.
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
                new LeaseLock("default", "seen", args[0], client), Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
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
member() { # NAME PORT
  : > "$1.log"
  java -cp "$classpath" Member "$1" "https://127.0.0.1:$2" > "$1.log" 2> "$1.errors" &
  pids+=($!)
}
await() { # SECONDS FILE TEXT
  for _ in $(seq $(($1 * 10))); do grep -q "$3" "$2" && return; sleep 0.1; done
  echo "no '$3' within $1 s"
  return 1
}
at() { awk -v text="$2" 'index($0, " " text) { print $1; exit }' "$1.log"; } # the time of NAME's first TEXT
renewal() { curl -sk -H 'Authorization: Bearer secret' "https://127.0.0.1:$((port + 2))/apis/coordination.k8s.io/v1/namespaces/default/leases/seen" | grep '"renewTime": '; }
member one $((port + 2))
one=${pids[-1]}
await 60 one.log ' leads'
member other $((port + 2))
await 60 other.log 'hears that'
renewed=$(renewal)
until [ "$(renewal)" != "$renewed" ]; do sleep 0.1; done
sleep 1
kill -STOP "$one"
await 60 other.log ' leads'
sleep 3
kill -CONT "$one"
went_on=$(date +%s%3N)
await 60 one.log 'no longer leads'
heard=$(($(at one 'hears that the leader is other') - went_on))
ended=$(($(at one 'no longer leads') - went_on))
both=$(($(at one 'no longer leads') - $(at other 'leads')))
echo "after its pause, the old leader hears after $heard ms that the other one leads, and ends after $ended ms"
echo "both lead for $both ms; the other one is told to end: $(grep -c 'no longer' other.log || true) times"
[ "$heard" -lt 4000 ] && [ "$ended" -gt $((heard + 5000)) ] && [ "$both" -gt 8000 ] && ! grep -q 'no longer' other.log || exit 1
leases=https://127.0.0.1:$((port + 2))/apis/coordination.k8s.io/v1/namespaces/default/leases
now=$(date -u +%FT%T.000000Z)
renewed=$(renewal)
until [ "$(renewal)" != "$renewed" ]; do sleep 0.1; done
sleep 0.5
curl -sk -H 'Authorization: Bearer secret' -X DELETE "$leases/seen" > /dev/null
taken=$(date +%s%3N)
curl -sk -H 'Authorization: Bearer secret' -H 'Content-Type: application/json' "$leases" -d '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"seen"},
  "spec":{"holderIdentity":"third","leaseDurationSeconds":15,"acquireTime":"'"$now"'","renewTime":"'"$now"'","leaseTransitions":0}}' > made
grep -q '"holderIdentity": "third"' made
await 60 other.log 'no longer leads'
heard=$(($(at other 'hears that the leader is third') - taken))
ended=$(($(at other 'no longer leads') - taken))
echo "after its Lease was deleted and made anew for a third one, the leader hears of that one after $heard ms, and ends after $ended ms"
[ "$heard" -lt 4000 ] && [ "$ended" -gt $((heard + 5000)) ] && echo 'as described'
