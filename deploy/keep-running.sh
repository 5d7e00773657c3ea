# Sourced, not run. keep_running COMMAND [ARGUMENT...] runs a command in the background, forwards signals to it, and restarts it
# when it dies. A signal to this shell ends both.

restart_pause=2     # seconds before a restart
restarts_max=5      # the most restarts
restart_window=600  # within so many seconds

keep_running() {
    local child='' code latest signal='' times=() moment first='' again=() word
    trap 'signal=INT; [ -n "$child" ] && kill -TERM "$child" 2>/dev/null' INT
    trap 'signal=TERM; [ -n "$child" ] && kill -TERM "$child" 2>/dev/null' TERM HUP
    for word; do
        [ "$word" = --fresh ] || again+=("$word") # the data are deleted once, not at each restart
    done
    while :; do
        "$@" &
        child=$!
        wait "$child"
        code=$?
        while kill -0 "$child" 2>/dev/null; do # a signal interrupts wait, not the child
            wait "$child"
            code=$?
        done
        if [ -n "$signal" ]; then # the child may have ended just after wait
            wait "$child" 2>/dev/null
            latest=$?
            [ "$latest" = 127 ] || code=$latest
        fi
        child=
        if [ -n "$signal" ] || is_end "$code" "${first:+again}"; then
            return "$code"
        fi
        printf -v moment '%(%s)T' -1
        times+=("$moment")
        first=${first:-$moment}
        while [ $((moment - times[0])) -gt "$restart_window" ]; do times=("${times[@]:1}"); done
        if [ ${#times[@]} -gt "$restarts_max" ]; then
            echo "$0: it died ${#times[@]} times within $((restart_window / 60)) minutes, now because $(reason "$code"): it is not" \
                "started again; the logs in the data folder say more" >&2
            return "$code"
        fi
        echo "$0: starting again, because $(reason "$code")" >&2
        sleep "$restart_pause"
        [ -z "$signal" ] || return $((128 + $(kill -l "$signal")))
        set -- "${again[@]}"
    done
}

# Whether the end was intended: 0 is a stop, 1 and 2 are complaints. A complaint after a first successful run is a failed restart,
# which may succeed the next time.
is_end() {
    case $1 in
        0 | 2) return 0 ;;
        1) [ -z "$2" ] ;;
        129 | 130 | 143) return 0 ;; # HUP, INT, TERM
        *) return 1 ;;
    esac
}

reason() {
    case $1 in
        1) echo "it could not be started" ;;
        3) echo "its memory was full" ;; # -XX:+ExitOnOutOfMemoryError
        137) echo "it was killed (by the kernel for want of memory, if by nobody else)" ;;
        *) [ "$1" -gt 128 ] && echo "it died of the signal $(kill -l $(($1 - 128)))" || echo "it ended with $1" ;;
    esac
}
