# Sourced, not run. start NAME CLASS [ARGUMENT...] runs a main class of the launcher's jars for the script deploy/NAME.

deploy=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=$(cd "$deploy/.." && pwd)
. "$deploy/find-jdk.sh"

start() {
    local name=$1 class=$2 target=$deploy/standalone/target jdk
    shift 2
    jdk=$(find_jdk) || {
        echo "deploy/$name: no JDK $JAVA_MIN or newer was found: install one, or set JAVA_HOME to its folder" >&2
        exit 1
    }
    [ -d "$target/lib" ] || {
        echo "deploy/$name: nothing is built yet: build Rookery with deploy/run --build first" >&2
        exit 1
    }
    exec "$jdk/bin/java" -Duser.language=en -Drookery.log.file=/dev/null -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
        -XX:MaxDirectMemorySize=128m "-Drookery.data=$root/data" "-Drookery.binaries=$root/target/servers" \
        -cp "$target/launcher.jar:$target/lib/*" "rookery.standalone.$class" "$@"
}
