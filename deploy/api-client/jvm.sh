# Sourced, not run. start CLASS [ARGUMENT...] builds the client if necessary and runs a main class of this module.

deploy=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=$(cd "$deploy/.." && pwd)
. "$deploy/find-jdk.sh"

start() {
    local jdk target=$deploy/api-client/target class=$1
    shift
    jdk=$(find_jdk) || {
        echo "$0: no JDK $JAVA_MIN or newer was found: install one, or set JAVA_HOME to its folder" >&2
        exit 1
    }
    if [ ! -f "$target/api-client.jar" ] || [ ! -d "$target/lib" ] ||
        [ -n "$(find "$deploy/api-client/src/main" "$deploy/api-client/pom.xml" -newer "$target/api-client.jar" -print -quit)" ]; then
        command -v mvn >/dev/null || {
            echo "$0: no mvn on the PATH to build the client with: install Maven 3.8.7 or newer" >&2
            exit 1
        }
        echo "building deploy/api-client; the first time Maven also fetches what it needs" >&2
        command -v java >/dev/null || export JAVA_HOME="${JAVA_HOME:-$jdk}" # Maven runs on any Java; this JDK if there is no other
        (cd "$root" && mvn -q -DskipTests -Dtest-compile.skip package -pl deploy/api-client -am) || exit 1
        touch "$target/api-client.jar" # Maven keeps a jar with unchanged classes
    fi
    exec "$jdk/bin/java" -Duser.language=en -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:MaxDirectMemorySize=64m \
        -cp "$target/api-client.jar:$target/lib/*" "$class" "$@"
}
