/** The look of the hub's own pages, after `clients/web`; each contains it and loads nothing. */
export const CSS = `
:root { color-scheme: light dark; --ground: light-dark(#f6f7f5, #101413);
  --card: light-dark(#ffffff, #181e1c); --ink: light-dark(#17211e, #e6ece9);
  --quiet: light-dark(#56625d, #9daba5); --line: light-dark(#d9dfdb, #2d3733);
  --accent: light-dark(#0b6b5d, #5fd0ba); --code: light-dark(#eef1ef, #0c100f); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; line-height: 1.5;
  font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Open Sans', sans-serif;
  background: var(--ground); color: var(--ink); }
.skip { position: absolute; left: -100vw; padding: 0.5rem 0.9rem; background: var(--card); }
.skip:focus { left: 0.5rem; top: 0.5rem; z-index: 2; }
header, main, footer { width: 100%; max-width: 70rem; margin-inline: auto;
  padding-inline: clamp(0.9rem, 3vw, 1.6rem); overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 1.4rem;
  padding-block: 0.8rem; }
header nav { display: flex; flex-wrap: wrap; gap: 0.1rem 0.2rem; }
header nav a { padding: 0.35rem 0.65rem; color: var(--ink); text-decoration: none; }
.brand { font-weight: 700; font-size: 1.05rem; color: var(--ink); text-decoration: none; }
main { flex: 1; padding-block: 0.6rem 3rem; }
main :is(p, li, dd) { max-width: 44rem; }
footer { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; padding-block: 1.2rem 2rem;
  font-size: 0.9rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0.4rem 0 0.6rem; }
.figure { font-size: 1.6rem; font-weight: 700; margin: 0.2rem 0; }
h2 { font-size: 1.1rem; margin: 1.8rem 0 0.4rem; }
code, pre { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: 0.92em; }
pre { padding: 0.7rem 0.9rem; overflow-x: auto; border-radius: 8px; background: var(--code);
  border: 1px solid var(--line); white-space: pre-wrap; }
details:has(form) > summary { cursor: pointer; color: var(--accent); }
form { display: flex; flex-wrap: wrap; align-items: end; gap: 0.6rem; margin-top: 0.6rem; }
form :is(button, input) { font: inherit; color: var(--ink); background: var(--card); min-height: 2.6rem;
  padding: 0.45rem 0.9rem; border: 1px solid var(--quiet); border-radius: 8px; }
form label { display: grid; flex: 0 1 26rem; font-size: 0.9rem; }
form button { cursor: pointer; }
time, td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
.crumbs, .quiet { color: var(--quiet); }
dl { display: grid; grid-template-columns: minmax(9rem, max-content) minmax(0, 1fr);
  gap: 0.35rem 1.2rem; padding: 0.9rem clamp(0.8rem, 2.5vw, 1.3rem); margin: 0.4rem 0;
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
dt, dd { margin: 0; }
.scrolled { overflow-x: auto; background: var(--card); border: 1px solid var(--line);
  border-radius: 10px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: 0.45rem 0.9rem; min-width: 9rem;
  border-bottom: 1px solid var(--line); }
a { color: var(--accent); text-underline-offset: 0.18em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
@media (max-width: 40rem) {
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: 0.6rem; }
  header nav { margin-inline: -0.45rem; }
  header nav a { padding: 0.35rem 0.45rem; }
}
@media (min-width: 120rem) { :root { font-size: calc(100% + (100vw - 120rem) / 120); } }
@media print {
  :root { color-scheme: light; --ground: #ffffff; font-size: 10.5pt; }
  body { display: block; }
  header nav, footer, .skip { display: none; }
  header, main { max-width: none; padding-inline: 0; }
  h1, h2, h3, h4 { break-after: avoid; }
}
`;
