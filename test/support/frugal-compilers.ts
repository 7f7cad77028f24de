/**
 * Variables of compilers written in Go. As in `check:types`: collecting garbage and sharing the work would take twice the
 * processor time.
 */
export const FRUGAL = { GOGC: "off", GOMAXPROCS: "1" };
