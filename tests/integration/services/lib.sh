# SPDX-License-Identifier: MIT
# services/lib.sh — real servers for integration tests, on loopback, installed once
#
# A script sets `service`, defines install (into $home), command_for PORT (the words to run in
# the array cmd; its files go into $state) and ready PORT, and ends with: service_main "$@"
#   up      install if needed, start on a free port, wait, print the port
#   down    stop it
# What is installed lives in ${GR_SERVICES:-$ROOT/build/services}/$service, for all. A server and
# its files are one test's, $GR_SERVICE_OWNER's (a process id): tests that run at the same time
# have one each. That of a test which was killed is stopped by the next `up`.
# Exit 77: it cannot be had here.
# shellcheck shell=bash disable=SC2154  # service: set by the script that sources this
set -euo pipefail

service_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$service_dir/../../.." && pwd)
home=${GR_SERVICES:-$top/build/services}/$service
owner=${GR_SERVICE_OWNER:-hand}
state=$home/run/$owner

say() { printf '%s: %s\n' "$service" "$*" >&2; }

# give_up WHY [LOG]: no server, and why; a test skips on 77.
give_up()
{
    [ -z "${2-}" ] || tail -n 8 "$2" >&2
    say "$1"
    exit 77
}

need() { command -v "$1" >/dev/null || give_up "$1 is not there ($2)"; }

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# pip_into DIR SPEC…: wheels unpacked into DIR, seen only when whole.
pip_into()
{
    local to=$1
    shift
    [ ! -d "$to" ] || return 0
    rm -rf "$to.part"
    python3 -m pip install --quiet --no-deps --no-compile --only-binary :all: --disable-pip-version-check \
        --root-user-action=ignore --target "$to.part" "$@" >"$home/pip.log" 2>&1 ||
        give_up "pip could not install $*" "$home/pip.log"
    mv "$to.part" "$to"
}

# maven_into DIR GROUP:NAME:VERSION…: their jars and all these need
maven_into()
{
    local to=$1 jar group name version
    shift
    need mvn "package maven"
    mkdir -p "$home/build"
    {
        echo '<project><modelVersion>4.0.0</modelVersion><groupId>gr</groupId><artifactId>peer</artifactId>'
        echo '<version>1</version><packaging>pom</packaging><dependencies>'
        for jar; do
            IFS=: read -r group name version <<<"$jar"
            echo "<dependency><groupId>$group</groupId><artifactId>$name</artifactId><version>$version</version></dependency>"
        done
        echo '</dependencies></project>'
    } >"$home/build/pom.xml"
    say "fetching $* (once)"
    mvn -B -ntp -q -f "$home/build/pom.xml" -Dmaven.repo.local="$home/build/m2" \
        org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
        -DincludeScope=runtime -DoutputDirectory="$to" >"$home/mvn.log" 2>&1 ||
        give_up "Maven could not fetch it" "$home/mvn.log"
    rm -rf "$home/build"
}

# When a process started, in clock ticks since boot: with its id, that is its name for ever.
# Nothing when it is no more, or nobody has asked yet how it ended.
born() { sed -n 's/.*) \([^Z]\)/\1/p' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

# alive [STATE]: is the server of that folder there?
alive()
{
    local pid=- start=-
    [ ! -s "${1:-$state}/pid" ] || read -r pid start <"${1:-$state}/pid"
    [ "$pid" != - ] && [ -n "$start" ] && [ "$(born "$pid")" = "$start" ]
}

# stop [STATE]: end the server and forget its files, but for the log.
stop()
{
    local dir=${1:-$state} i=0 pid
    if alive "$dir"; then
        read -r pid _ <"$dir/pid"
        kill "$pid" 2>/dev/null || true
        while alive "$dir" && [ $i -lt 100 ]; do
            i=$((i + 1))
            sleep 0.1
        done
        ! alive "$dir" || kill -9 "$pid" 2>/dev/null || true
    fi
    [ ! -s "$dir/log" ] || mv "$dir/log" "$home/log"
    rm -rf "$dir"
}

# Servers whose test is no more.
stop_orphans()
{
    local dir
    for dir in "$home"/run/*/; do
        dir=${dir%/}
        [ ! -d "$dir" ] || [ "${dir##*/}" = hand ] || kill -0 "${dir##*/}" 2>/dev/null || stop "$dir"
    done
}

# start: 0 when it is ready at $port, 1 when it ended: perhaps somebody else took the port.
start()
{
    local tries=0
    port=$(free_port)
    cmd=()
    command_for "$port"
    setsid "${cmd[@]}" </dev/null >"$state/log" 2>&1 &
    echo "$! $(born $!)" >"$state/pid"
    until ready "$port" 2>/dev/null && alive; do
        alive || return 1
        tries=$((tries + 1))
        [ $tries -lt 1500 ] || { stop && give_up "not ready after five minutes" "$home/log"; }
        sleep 0.2
    done
}

service_main()
{
    mkdir -p "$home/run"
    case ${1-} in
    up)
        local port
        stop
        exec 9>"$home/lock" # who comes second waits until it is installed
        flock 9
        stop_orphans
        install
        exec 9>&-
        mkdir -p "$state"
        for _ in 1 2 3; do
            if start; then
                echo "$port"
                return 0
            fi
        done
        stop
        give_up "it ended while starting" "$home/log"
        ;;
    down) stop ;;
    *) say "usage: $0 up | down" && exit 2 ;;
    esac
}
