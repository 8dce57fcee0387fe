#!/bin/bash
# client-go's own example of an election: a leader whose Lease was deleted and made anew for somebody else leads on for a retry period and a whole renew deadline, and its hook for a new leader stays silent.
#
# examples/leader-election of client-go 0.20.2 (60 s, 15 s, 5 s), on kube-apiserver 1.20.2 (both of Debian 12's source, built by scripts/build-kube-apiserver). A renewal that finds another holder is to the
# loop that renews a failure like any other: it tries again each retry period, and ends only when the renew deadline, which began with that first failure, is over. It looks whether the leader changed only
# after that.
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
cache=${XDG_CACHE_HOME:-$HOME/.cache}/incumbent
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
server=https://127.0.0.1:$((port + 2))
"$cache/kube-apiserver" "--etcd-servers=$etcd" --bind-address=127.0.0.1 "--secure-port=$((port + 2))" --cert-dir=certificates --token-auth-file=tokens --authorization-mode=RBAC \
  --service-account-issuer=https://local --service-account-signing-key-file=key --service-account-key-file=key --service-cluster-ip-range=10.0.0.0/24 > apiserver.log 2>&1 &
pids+=($!)
for _ in $(seq 300); do curl -sk -H 'Authorization: Bearer secret' "$server/readyz" | grep -q ok && break; sleep 0.2; done
for _ in $(seq 300); do curl -sk -H 'Authorization: Bearer secret' "$server/api/v1/namespaces/default" | grep -q '"name": "default"' && break; sleep 0.2; done
cat > kubeconfig << CONFIG
apiVersion: v1
kind: Config
clusters: [{name: seen, cluster: {server: "$server", insecure-skip-tls-verify: true}}]
users: [{name: seen, user: {token: secret}}]
contexts: [{name: seen, context: {cluster: seen, user: seen}}]
current-context: seen
CONFIG
"$cache/client-go-elector" -kubeconfig kubeconfig -id one -lease-lock-name seen -lease-lock-namespace default > one.log 2>&1 &
one=$!
pids+=("$one")
await() { # SECONDS TEXT
  for _ in $(seq $(($1 * 10))); do grep -q "$2" one.log && return; sleep 0.1; done
  echo "no '$2' within $1 s"
  cat one.log
  return 1
}
await 60 'Controller loop'
leases=$server/apis/coordination.k8s.io/v1/namespaces/default/leases
api() { curl -sk -H 'Authorization: Bearer secret' -H 'Content-Type: application/json' "$@"; }
renewal() { api "$leases/seen" | grep '"renewTime": '; }
renewed=$(renewal)
until [ "$(renewal)" != "$renewed" ]; do sleep 0.1; done
sleep 0.5
now=$(date -u +%FT%T.000000Z)
api -X DELETE "$leases/seen" > /dev/null
taken=$(date +%s%3N)
api "$leases" -d '{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"seen"},
  "spec":{"holderIdentity":"third","leaseDurationSeconds":60,"acquireTime":"'"$now"'","renewTime":"'"$now"'","leaseTransitions":0}}' > made
grep -q '"holderIdentity": "third"' made
await 60 'leader lost: one'
ended=$(($(date +%s%3N) - taken))
echo "the leader ends $ended ms after the third one's Lease was made; it was told of the third one $(grep -c 'new leader elected: third' one.log || true) times"
[ "$ended" -gt 14000 ] && [ "$ended" -lt 25000 ] && ! grep -q 'new leader elected: third' one.log && echo 'as described'
