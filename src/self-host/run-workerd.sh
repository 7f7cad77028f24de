#!/bin/sh
# Runs workerd for `npm start`. The kernel kills it when the process that started it ends, even after SIGKILL.
echo $$ > "$SIGNPOST_WORKERD_PID"
command -v setpriv > /dev/null && exec setpriv --pdeathsig KILL "$SIGNPOST_WORKERD" "$@"
exec "$SIGNPOST_WORKERD" "$@"
