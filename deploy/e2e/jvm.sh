# Sourced, not run. start CLASS NAME [ARGUMENT...] builds the programs if necessary and runs a main class of this module with its
# data in target/NAME.

deploy=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=$(cd "$deploy/.." && pwd)
. "$deploy/find-jdk.sh"

start() {
    local jdk jar=$deploy/e2e/target/e2e.jar class=$1 name=$2
    shift 2
    jdk=$(find_jdk) || {
        echo "$0: no JDK $JAVA_MIN or newer was found: install one, or set JAVA_HOME to its folder" >&2
        exit 1
    }
    if [ ! -f "$jar" ] || [ -n "$(find "$deploy/e2e/src/main" "$deploy/api-client/src/main" -newer "$jar" -print -quit)" ]; then
        echo "building deploy/e2e"
        (cd "$root" && mvn -q -DskipTests -Dtest-compile.skip package -pl deploy/e2e -am) || exit 1
    fi
    "$deploy/run" --build || exit 1 # before this JVM reads the built jars
    exec "$jdk/bin/java" -Duser.language=en -XX:+UseSerialGC -Xmx512m -XX:MaxDirectMemorySize=512m "-Drookery.deploy=$deploy" "-Drookery.run=$deploy/run" \
        "-Drookery.data=$deploy/e2e/target/$name" -Dlogback.configurationFile=rookery/e2e/logback.xml \
        -cp "$jar:$deploy/standalone/target/launcher.jar:$deploy/standalone/target/lib/*" \
        "$class" "$@"
}
