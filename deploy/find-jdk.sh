# Sourced, not run. find_jdk prints the home of a JDK of at least version $JAVA_MIN, or fails.

JAVA_MIN=25

# A JVM cannot open a folder with letters outside of the locale. ANSI_X3.4-1968 is ASCII.
if [ "$(locale charmap 2>/dev/null)" = ANSI_X3.4-1968 ]; then
    for folder in "$deploy" "$PWD"; do
        case $folder in
            *[!\ -~]*)
                echo "$0: $folder has letters that the locale of this shell (${LC_ALL:-${LC_CTYPE:-${LANG:-none is set}}}) does not" \
                    "have: set LC_ALL=C.UTF-8, or take a folder without them" >&2
                exit 1
                ;;
        esac
    done
fi

# Whether the folder is a JDK (with a compiler) of a sufficient version, by its release file.
is_jdk() {
    local home=$1 version
    [ -x "$home/bin/java" ] && [ -x "$home/bin/javac" ] || return 1
    if [ -r "$home/release" ]; then
        version=$(sed -n 's/^JAVA_VERSION="\{0,1\}\([0-9]*\).*/\1/p' "$home/release")
    else
        version=$("$home/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
    fi
    [ "${version:-0}" -ge "$JAVA_MIN" ]
}

# The home of the java on the PATH, after resolving symbolic links.
home_on_path() {
    local java link
    java=$(command -v java) || return 1
    while link=$(readlink "$java"); do
        case $link in
            /*) java=$link ;;
            *) java=$(dirname "$java")/$link ;;
        esac
    done
    cd "$(dirname "$java")/.." 2>/dev/null && pwd -P
}

find_jdk() {
    local home
    for home in "${JAVA_HOME:-}" "$(home_on_path)" \
        /usr/lib/jvm/* /usr/java/* /opt/* /opt/java/* /usr/local/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home; do
        if [ -n "$home" ] && is_jdk "$home"; then
            echo "$home"
            return
        fi
    done
    return 1
}
