#!/bin/bash
# SPDX-License-Identifier: MIT
# services/neo4j.sh — Neo4j Community with the APOC procedures, from Maven's artifacts
#
# user neo4j, password $NEO4J_PASSWORD (set here when it is not), HTTP only
set -euo pipefail
service=neo4j
. "$(dirname "$0")/lib.sh"
version=5.26.19
password=${NEO4J_PASSWORD:-loopback-only}

install()
{
    [ ! -s "$home/plugins/apoc-core-$version.jar" ] || return 0
    need java "package default-jre-headless"
    maven_into "$home/jars" "org.neo4j:neo4j:$version" "org.neo4j.app:neo4j-server:$version" \
        "org.neo4j.procedure:apoc-core:$version" "org.neo4j.procedure:apoc-common:$version"
    # Procedures are looked for in the plugins' folder only.
    mkdir -p "$home/plugins"
    mv "$home/jars/apoc-core-$version.jar" "$home/jars/apoc-common-$version.jar" "$home/plugins/"
}

command_for()
{
    rm -rf "$state/server"
    mkdir -p "$state/server/conf" "$state/server/logs"
    cat >"$state/server/conf/neo4j.conf" <<C
server.directories.plugins=$home/plugins
server.default_listen_address=127.0.0.1
server.http.listen_address=127.0.0.1:$1
server.bolt.enabled=false
server.memory.pagecache.size=128m
dbms.security.procedures.unrestricted=apoc.*
dbms.usage_report.enabled=false
db.tx_log.rotation.retention_policy=keep_none
C
    export NEO4J_HOME=$state/server NEO4J_CONF=$state/server/conf
    java=(java -Xms128m -Xmx768m --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED
        --add-opens=java.base/sun.nio.ch=ALL-UNNAMED -Dlog4j2.disable.jmx=true -cp "$home/jars/*:$home/plugins/*")
    "${java[@]}" org.neo4j.cli.AdminTool dbms set-initial-password "$password" >"$state/admin.log" 2>&1 ||
        give_up "the password could not be set" "$state/admin.log"
    cmd=("${java[@]}" org.neo4j.server.CommunityEntryPoint "--home-dir=$state/server" "--config-dir=$state/server/conf")
}

ready()
{
    curl -sf -m 10 -u "neo4j:$password" -H 'Content-Type: application/json' "http://127.0.0.1:$1/db/neo4j/tx/commit" \
        -d '{"statements":[{"statement":"RETURN apoc.version()"}]}' | grep -q '"errors":\[\]'
}

service_main "$@"
