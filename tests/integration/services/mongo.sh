#!/bin/bash
# SPDX-License-Identifier: MIT
# services/mongo.sh — a server that speaks MongoDB's wire protocol: mongo-java-server, in memory
set -euo pipefail
service=mongo
. "$(dirname "$0")/lib.sh"
version=1.47.0

install()
{
    [ ! -s "$home/classes/Peer.class" ] || return 0
    need mvn "package maven"
    need javac "package default-jdk-headless"
    mkdir -p "$home/build"
    cat >"$home/build/pom.xml" <<P
<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>gr</groupId><artifactId>mongo-peer</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies><dependency>
    <groupId>de.bwaldvogel</groupId><artifactId>mongo-java-server</artifactId><version>$version</version>
  </dependency></dependencies>
</project>
P
    say "fetching mongo-java-server $version (10 MB, once)"
    mvn -B -ntp -q -f "$home/build/pom.xml" -Dmaven.repo.local="$home/build/m2" \
        org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
        -DincludeScope=runtime -DoutputDirectory="$home/jars" >"$home/mvn.log" 2>&1 ||
        give_up "Maven could not fetch it" "$home/mvn.log"
    # Its own main program has a fixed port.
    cat >"$home/build/Peer.java" <<'J'
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

public class Peer {
    public static void main(String[] args) {
        new MongoServer(new MemoryBackend()).bind("127.0.0.1", Integer.parseInt(args[0]));
    }
}
J
    javac -d "$home/classes" -cp "$home/jars/*" "$home/build/Peer.java" >"$home/javac.log" 2>&1 ||
        give_up "javac failed" "$home/javac.log"
    rm -rf "$home/build"
}

command_for() { cmd=(java -Xmx256m -cp "$home/classes:$home/jars/*" Peer "$1"); }

ready() { (exec 3<>"/dev/tcp/127.0.0.1/$1"); }

service_main "$@"
