/** The page's style: light or dark like the reader's system, on paper, and on a telephone. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1b2430; --soft: #5b6776; --line: #dfe4ea; --card: #f6f8fa;
  --high: #1c7369; --low: #a85b00; --bad: #b3261e; --bar: #2f6fb2; --on: #fff; }
@media (prefers-color-scheme: dark) { :root { --paper: #12171d; --ink: #e3e8ee; --soft: #98a4b3; --line: #2b343f; --card: #1a2129;
  --high: #1c7369; --low: #96550a; --bad: #ff8a80; --bar: #6aa9e9; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 72rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
p { margin: .4rem 0 .8rem; max-width: 48rem; }
.soft { color: var(--soft); }
.none { color: var(--soft); font-style: italic; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .6rem; margin: 1rem 0; padding: 0; }
.facts div { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; }
.facts dt { color: var(--soft); font-size: .8rem; }
.facts dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.scroll { display: flex; overflow-x: auto; max-width: 100%; scrollbar-width: thin; scrollbar-color: var(--soft) transparent; }
.scroll > * { flex: 1 0 auto; }
.scroll > .heat { flex-grow: 0; }
/* Where there is more to the right, the content fades. After the last column the fade is on paper, and invisible. */
.scroll::after { content: ""; flex: 0 0 1.75rem; position: sticky; right: 0; z-index: 2; pointer-events: none; background: linear-gradient(to right, transparent, var(--paper)); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
table.list { width: calc(100% - 1.75rem); }
.list th, .list td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
.list thead th { color: var(--soft); font-weight: 500; font-size: .85rem; white-space: nowrap; }
.list td.n, .list th.n { text-align: right; white-space: nowrap; }
.list td.w { white-space: nowrap; }
.list td.bars { width: 30%; min-width: 5rem; vertical-align: middle; }
.list ul { margin: .2rem 0; padding-left: 1.1rem; }
.bar { display: block; height: .3rem; min-width: 1px; background: var(--bar); border-radius: 2px; }
.heat { font-size: .78rem; border-spacing: 0; }
.heat th { font-weight: 500; padding: .15rem .4rem; text-align: right; white-space: nowrap; }
.heat th[scope=row] { text-align: left; position: sticky; left: 0; background: var(--paper); }
.heat thead th { color: var(--soft); vertical-align: bottom; }
.heat thead span { display: block; font-size: .7rem; }
.heat thead th.unproven { text-decoration: underline wavy var(--bad); }
.heat td { min-width: 2.3rem; white-space: nowrap; padding: .15rem .3rem; text-align: right; border: 1px solid var(--paper); color: var(--on); }
.heat td[style] { background: color-mix(in oklab, var(--high) var(--p), var(--low)); }
.heat td.sum { font-weight: 600; }
.heat td.part { outline: 1px dashed var(--ink); outline-offset: -2px; }
.heat td.failed { box-shadow: inset 0 -3px 0 var(--bad); }
.heat td:empty { background: var(--card); }
.key { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; font-size: .85rem; padding: 0; }
.key i { display: inline-block; width: 1.4rem; height: .9rem; margin-right: .4rem; vertical-align: -1px; }
.state-failed, .state-cancelled { color: var(--bad); }
code { font-size: .9em; background: var(--card); border: 1px solid var(--line); border-radius: .25rem; padding: 0 .25rem; }
@media (max-width: 40rem) { body { font-size: 14px; padding-top: 1rem; } .facts dd { font-size: 1.05rem; } .list .bars, .list th:empty { display: none; } }
@page { size: landscape; margin: 12mm; }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } .scroll { overflow: visible; } .scroll::after { display: none; } .heat { font-size: 6.5pt; } .heat td, .heat th { min-width: 0; padding: 1px 2px; } .heat thead span { font-size: 5.5pt; }
  .heat td, .bar, i, .facts div { print-color-adjust: exact; -webkit-print-color-adjust: exact; } details > * { display: block; } h2, tr { break-inside: avoid; } h2 { break-after: avoid; } }
`;
