# Sourced, not run. start CLASS [JVM FLAG...] -- [ARGUMENT...] builds the programs if necessary and runs a main class
# of this module.

deploy=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=$(cd "$deploy/.." && pwd)
. "$deploy/find-jdk.sh"

start() {
    local jdk jar=$deploy/bench/target/bench.jar class=$1 flags=()
    shift
    while [ "$1" != -- ]; do
        flags+=("$1")
        shift
    done
    shift
    jdk=$(find_jdk) || {
        echo "$0: no JDK $JAVA_MIN or newer was found: install one, or set JAVA_HOME to its folder" >&2
        exit 1
    }
    if [ ! -f "$jar" ] || [ ! -d "$deploy/standalone/target/lib" ] ||
        [ -n "$(find "$deploy/bench/src/main" "$deploy/e2e/src/main" "$deploy/api-client/src/main" -newer "$jar" -print -quit)" ]; then
        echo "building"
        (cd "$root" && mvn -q -DskipTests -Dtest-compile.skip package -pl deploy/bench -am) || exit 1
    fi
    exec "$jdk/bin/java" -Duser.language=en -XX:+UseSerialGC -Xmx512m -XX:MaxDirectMemorySize=512m -Dlogback.configurationFile=rookery/e2e/logback.xml "${flags[@]}" \
        -cp "$jar:$deploy/e2e/target/e2e.jar:$deploy/standalone/target/launcher.jar:$deploy/standalone/target/lib/*" \
        "$class" "$@"
}
