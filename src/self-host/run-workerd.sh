#!/bin/sh
# Runs workerd for `npm start`. The kernel kills it when the process that started it ends, even after SIGKILL. In a session of
# its own, it gets no signals for the whole process group, such as Ctrl-C: the process that started it stops it.
echo $$ > "$SIGNPOST_WORKERD_PID"
command -v setpriv > /dev/null && exec setsid setpriv --pdeathsig KILL "$SIGNPOST_WORKERD" "$@"
exec "$SIGNPOST_WORKERD" "$@"
