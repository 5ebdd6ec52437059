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
    need javac "package default-jdk-headless"
    maven_into "$home/jars" "de.bwaldvogel:mongo-java-server:$version"
    mkdir -p "$home/build"
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
