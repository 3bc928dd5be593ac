/** The one style sheet of the pages. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1c2430; --soft: #4c5666; --back: #ffffff; --panel: #f3f5f8; --line: #c9d0da; --link: #0b57a4; --accent: #0b57a4; --on-accent: #ffffff; --mark: #fff1a8; --bad: #a11414; --shade: #8a94a399; }
@media (prefers-color-scheme: dark) { :root { --text: #e6eaf0; --soft: #b3bccb; --back: #14181e; --panel: #1e242d; --line: #465063; --link: #8fc1ff; --accent: #8fc1ff; --on-accent: #0d1b2b; --mark: #5b4e00; --bad: #ff9d9d; --shade: #7c8aa0aa; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; color: var(--text); background: var(--back); }
a { color: var(--link); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--back); padding: 0.5rem; }
header, main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: baseline; padding-top: 0.9rem; padding-bottom: 0.9rem; border-bottom: 1px solid var(--line); }
header .name { font-weight: 700; text-decoration: none; color: var(--text); font-size: 1.15rem; }
header ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.1rem; list-style: none; margin: 0; padding: 0; }
nav a[aria-current] { font-weight: 700; text-decoration: none; color: var(--text); }
main { padding-top: 1rem; padding-bottom: 3rem; min-height: 60vh; }
footer { border-top: 1px solid var(--line); padding-top: 1rem; padding-bottom: 2rem; color: var(--soft); font-size: 0.9rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0.6rem 0 0.8rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 0.6rem; }
h3 { font-size: 1.05rem; margin: 1.4rem 0 0.4rem; }
p, li { max-width: 46rem; }
.soft { color: var(--soft); }
.table { overflow-x: auto; margin: 0.5rem 0 1rem; background: linear-gradient(to right, var(--back) 40%, transparent) left / 3rem 100%, linear-gradient(to left, var(--back) 40%, transparent) right / 3rem 100%, linear-gradient(to right, var(--shade), transparent) left / 1.1rem 100%, linear-gradient(to left, var(--shade), transparent) right / 1.1rem 100%; background-repeat: no-repeat; background-attachment: local, local, scroll, scroll; }
table { border-collapse: collapse; width: 100%; font-size: 0.95rem; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.8rem 0.4rem 0; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code, pre, .key { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.92em; overflow-wrap: anywhere; }
td code { overflow-wrap: normal; }
pre { background: var(--panel); border: 1px solid var(--line); padding: 0.8rem; overflow-x: auto; white-space: pre-wrap; }
mark { background: var(--mark); color: inherit; padding: 0 0.1em; }
form.inline { display: inline; }
label { display: block; margin: 0.6rem 0 0.2rem; font-weight: 600; }
input, select, textarea { font: inherit; width: 100%; max-width: 30rem; padding: 0.45rem 0.6rem; color: var(--text); background: var(--back); border: 1px solid var(--soft); border-radius: 4px; }
textarea { max-width: 46rem; min-height: 6rem; font-family: ui-monospace, Menlo, Consolas, monospace; }
button, .button { display: inline-block; font: inherit; font-weight: 600; margin: 0.6rem 0.5rem 0.2rem 0; padding: 0.45rem 1rem; border: 1px solid var(--accent); border-radius: 4px; background: var(--accent); color: var(--on-accent); cursor: pointer; text-decoration: none; }
button.plain { background: transparent; color: var(--link); }
td button { margin: 0; padding: 0.2rem 0.6rem; }
.notice, .problem { border: 1px solid var(--line); border-left: 5px solid var(--accent); background: var(--panel); padding: 0.7rem 1rem; margin: 1rem 0; }
.problem { border-left-color: var(--bad); }
.key { font-size: 1.05rem; font-weight: 600; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 0 1rem; }
.columns { display: grid; gap: 1rem 3rem; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); }
.cards { list-style: none; padding: 0; margin: 1rem 0; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 1rem; }
.cards > li { border: 1px solid var(--line); border-radius: 6px; padding: 0.4rem 1.1rem 1rem; }
.cards h2 { margin-top: 0.5rem; }
.figures { display: flex; flex-wrap: wrap; gap: 0.5rem 2.5rem; padding: 0; margin: 1rem 0; list-style: none; }
.figures strong { display: block; font-size: 1.6rem; line-height: 1.2; }
.hit { border-bottom: 1px solid var(--line); padding: 0.3rem 0 0.8rem; }
.hit h3 { margin: 0.5rem 0 0.1rem; }
.hit p { margin: 0.2rem 0; }
.reader { display: grid; gap: 1rem 1.5rem; grid-template-columns: minmax(13rem, 1fr) 3fr; }
.reader ul { padding-left: 1.1rem; margin: 0; }
.reader > * { min-width: 0; }
th[scope=row] { font-weight: 400; }
td.number { white-space: nowrap; }
a.figure { color: inherit; text-decoration: none; border-bottom: 1px dotted var(--soft); }
.picture { margin: 1rem 0; max-width: 44rem; }
.picture svg { display: block; width: 100%; height: auto; font-size: 11px; }
.picture text { fill: var(--soft); }
.picture line { stroke: var(--line); }
.picture .bar0 { fill: var(--accent); color: var(--accent); }
.picture .bar1 { fill: var(--soft); color: var(--soft); }
.picture figcaption { font-size: 0.9rem; }
iframe { width: 100%; height: 75vh; border: 1px solid var(--line); background: #ffffff; }
.sides { display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
.sides > * { min-width: 0; }
pre.answer { max-height: 26rem; overflow: auto; }
td.word, .word { white-space: nowrap; }
iframe.whole { height: 88vh; }
.facets h3 { margin: 0.6rem 0 0.1rem; }
.facets ul { list-style: none; margin: 0; padding: 0; }
.facets > div { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); }
.narrowed > * { min-width: 0; }
@media (min-width: 56rem) {
  .narrowed { display: grid; gap: 0 2rem; grid-template-columns: 3fr 14rem; }
  .narrowed > .facets { order: 2; }
  .facets > div { display: block; }
  .facets::details-content { content-visibility: visible; block-size: auto; }
  .facets > summary { list-style: none; cursor: default; }
}
dl.boxes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); padding: 0 1px 1px 0; margin: 0.3rem 0 0.8rem; }
dl.boxes > div { border: 1px solid var(--line); margin: 0 -1px -1px 0; padding: 0.3rem 0.7rem 0.45rem; min-width: 0; }
dl.boxes > .wide { grid-column: 1 / -1; }
dt { font-size: 0.82rem; color: var(--soft); }
td, dd, li, p { unicode-bidi: isolate; }
dd { margin: 0; overflow-wrap: anywhere; }
.box { white-space: nowrap; margin-right: 0.6rem; }
sup { line-height: 0; }
.form h2 { font-size: 1.1rem; margin: 1.4rem 0 0.3rem; }
.rows td { overflow-wrap: break-word; max-width: 24rem; }
.rows td:not(.number) { min-width: 5rem; }
.notes p { margin: 0.2rem 0 0.5rem; max-width: 60rem; overflow-wrap: anywhere; }
summary { cursor: pointer; font-weight: 600; padding: 0.3rem 0; }
@media (max-width: 30rem) { table { font-size: 0.82rem; } th, td { padding-right: 0.45rem; } }
@media (max-width: 44rem) { .picture svg { font-size: 17px; } .reader { grid-template-columns: 1fr; } h1 { font-size: 1.4rem; } }
`;
