# SPDX-License-Identifier: MIT
# services/lib.sh — real servers for integration tests, on loopback, installed once
#
# A script sets `service`, defines install (into $home), command PORT (the words to run in the
# array cmd) and ready PORT, and ends with: service_main "$@"
#   up      install if needed, start on a free port, wait, print the port
#   down    stop it
# Everything lives in ${GR_SERVICES:-$ROOT/build/services}/$service. Exit 77: it cannot be had here.
# shellcheck shell=bash disable=SC2154  # service: set by the script that sources this
set -euo pipefail

service_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$service_dir/../../.." && pwd)
home=${GR_SERVICES:-$top/build/services}/$service

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

alive() { [ -s "$home/pid" ] && kill -0 "$(cat "$home/pid")" 2>/dev/null; }

stop()
{
    local i=0
    if alive; then
        kill "$(cat "$home/pid")" 2>/dev/null || true
        while alive && [ $i -lt 100 ]; do
            i=$((i + 1))
            sleep 0.1
        done
        ! alive || kill -9 "$(cat "$home/pid")" 2>/dev/null || true
    fi
    rm -f "$home/pid"
}

service_main()
{
    mkdir -p "$home"
    case ${1-} in
    up)
        stop
        install
        local port tries=0
        port=$(free_port)
        cmd=()
        command_for "$port"
        setsid "${cmd[@]}" </dev/null >"$home/log" 2>&1 &
        echo $! >"$home/pid"
        until ready "$port" 2>/dev/null; do
            alive || give_up "it ended while starting" "$home/log"
            tries=$((tries + 1))
            [ $tries -lt 600 ] || { stop && give_up "not ready after two minutes" "$home/log"; }
            sleep 0.2
        done
        echo "$port"
        ;;
    down) stop ;;
    *) say "usage: $0 up | down" && exit 2 ;;
    esac
}
