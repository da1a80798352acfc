/** Colours that can be told apart in print, and by people who are colour-blind. */
export const STYLE = `
:root { color-scheme: light; --one: #1c5cab; --two: #b5541c; --good: #1f6b33; --bad: #a32020; --line: #c9ced6; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2129; background: #fff; }
h1, h2 { line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin-top: 2.2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); }
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
td:first-child { max-width: 30rem; }
.figures td { white-space: nowrap; }
.scroll { overflow-x: auto; }
.note { color: #555c68; font-size: .88rem; }
.verdict { font-weight: 600; }
.worse, .wrong { color: var(--bad); }
.better, .right { color: var(--good); }
svg { width: 100%; max-width: 44rem; height: auto; font-size: 13px; }
svg line { stroke-width: 2; }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .mark { stroke: #555c68; stroke-dasharray: 4; stroke-width: 1; }
svg .axis { fill: #555c68; font-size: 12px; }
svg polyline { fill: none; stroke-width: 2; }
svg .configuration, svg .difference { stroke: var(--one); fill: var(--one); }
svg .baseline { stroke: var(--two); fill: var(--two); }
svg .refused { stroke: var(--two); }
svg .recognised { stroke: var(--one); }
span.configuration, span.recognised { color: var(--one); }
span.baseline, span.refused { color: var(--two); margin-inline-start: 1em; }
span.refused { margin-inline-start: 0; }
span.recognised { margin-inline-start: 1em; }
summary { cursor: pointer; }
ol { padding-inline-start: 1.4rem; }
`;
