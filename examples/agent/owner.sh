#!/bin/sh
# owner.sh SOCKET ELECTION COMMAND...: runs the command again and again while it leads the election, through the agent of this host.
# The command finds its token in TOKEN, and is killed when the belief ends. It should take less than a third of the time to live.
socket=$1 election=$2
shift 2
ttl=3000
campaign=http://localhost/v1/elections/$(printf %s "$election" | sed 's|/|%2F|g')/campaign
id='' end=0 said='{}'
export TOKEN=''

now() { # milliseconds since boot, in steps of 10; this clock runs on through a suspend
    read -r up rest < /proc/uptime
    echo $((${up%.*} * 1000 + (1${up#*.} - 100) * 10))
}
ask() { curl -s --max-time 1 --unix-socket "$socket" "$@"; }
field() { # of the answer, if it is there
    value=${answer#*\"$1\":}
    [ "$value" = "$answer" ] && return
    value=${value#\"}
    printf %s "${value%%[,\"\}]*}"
}
leave() { # this also says that the work has stopped
    [ -z "$id" ] || ask -X DELETE "$campaign/$id" > /dev/null
    exit
}
trap leave TERM INT

while :; do
    if [ -z "$id" ]; then
        answer=$(ask -d "{\"ttlMs\":$ttl,\"name\":\"owner-$$\"}" "$campaign")
        id=$(field id)
    fi
    if [ -n "$id" ]; then
        sent=$(now)
        answer=$(ask -d "$said" "$campaign/$id")
        case $answer in
            *'"leads":true'*) end=$((sent + $(field holdsMs) - 10)) TOKEN=$(field token) said='{}' ;;
            *'"ended":'*) end=0 said="{\"stopped\":$(field ended)}" ;; # nothing of ours runs here
            *'"leads":false'*) end=0 said='{}' ;;
            *'"status":404'*) end=0 id='' said='{}' ;;
        esac # without an answer, the last one is worth what it was
    fi
    left=$((end - $(now)))
    if [ "$left" -gt 0 ]; then
        timeout -s KILL "$((left / 1000)).$(printf %03d $((left % 1000)))" "$@"
    fi
    sleep 0.2
done
