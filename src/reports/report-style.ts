// Pure: no I/O, clock or randomness.

/** Style sheet of reports: one column on phones, and one A4 page for a report on up to five links. */
export const REPORT_CSS = `
*, ::before { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.45 Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
main { display: grid; gap: 1.25rem; max-width: 60rem; margin: 0 auto; padding: 2rem 1rem }
main > * { min-width: 0 }
h1, h2, p, dl, dd, ol { margin: 0; padding: 0 }
h1 { font-size: clamp(1.5rem, 1.2rem + 1.5vw, 2rem); letter-spacing: -.02em; line-height: 1.2 }
:is(:lang(ar), :lang(hi)) h1 { letter-spacing: normal; line-height: 1.4 }
h2 { margin-bottom: .5rem; font-size: 1rem }
header p, dt, dd bdi, .note, footer, .axis, .scale, .url, section > p { color: var(--muted) }
.totals { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem }
.totals div, section { padding: 1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface) }
dd { font-size: 1.5rem; font-weight: 700 }
dt, dd bdi, .axis, .scale, .note, footer, .url, summary, section > p { font-size: .8125rem; font-weight: 400 }
dd bdi { display: inline-block }
.chart { display: grid; grid-template-columns: auto 1fr; grid-template-rows: 11rem auto; gap: .25rem .5rem }
.chart svg { width: 100%; height: 100%; border-bottom: 1px solid var(--muted); background: linear-gradient(var(--line) 1px, transparent 1px) 0 0 / 100% 50% }
rect { fill: var(--accent) }
.scale, .axis { display: flex; justify-content: space-between; line-height: 1 }
.scale { flex-direction: column; text-align: end }
.axis { grid-column: 2 }
summary { width: fit-content; min-height: 1.5rem; margin-top: .5rem; color: var(--muted); cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
table { width: 100%; border-collapse: collapse }
th, td { padding: .375rem .5rem .375rem 0; border-top: 1px solid var(--line); font-weight: 400; text-align: start; vertical-align: top }
thead th, thead td { border: 0; color: var(--muted); font-size: .8125rem }
td { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap }
thead th + th { text-align: end }
.share { width: 30%; padding-inline: .5rem 0; vertical-align: middle }
.url { display: block }
th > .url:only-child { color: inherit; font-size: inherit }
.bar { display: block; width: 100%; height: .5rem; border-radius: .25rem; background: var(--line) }
[dir=rtl] .bar { transform: scaleX(-1) }
.breakdowns { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); gap: .75rem }
ol { list-style: none }
li { display: grid; grid-template-columns: 1fr auto; gap: 0 .5rem; padding: .25rem 0; font-size: .875rem }
li .bar { grid-column: 1 / -1 }
.count { font-variant-numeric: tabular-nums }
footer { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 1rem }
.made svg { width: 1rem; height: 1rem; vertical-align: text-bottom; fill: var(--accent) }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (max-width: 30rem) {
  .share { display: none }
}
@media print {
  @page { size: A4; margin: 12mm }
  :root { color-scheme: light; font-size: 11px }
  body { background: none; font-size: 9pt; print-color-adjust: exact; -webkit-print-color-adjust: exact }
  main { gap: 2.5mm; max-width: none; padding: 0 }
  h1 { font-size: 16pt }
  h2 { margin-bottom: 1mm; font-size: 10pt }
  dd { font-size: 14pt }
  .totals { grid-template-columns: repeat(3, 1fr); gap: 2.5mm }
  .totals div, section { padding: 2mm; break-inside: avoid }
  .chart { grid-template-rows: 32mm auto }
  .breakdowns { grid-template-columns: repeat(3, 1fr); gap: 2.5mm }
  li { padding: .25mm 0; font-size: 8.5pt }
  th, td { padding-block: .75mm }
  .url { display: inline }
  .bar { height: 1.25mm }
  details { display: none }
  section:has(.ranking) { break-inside: auto }
  tr { break-inside: avoid }
}
`.replace(/\n\s*/g, "");
