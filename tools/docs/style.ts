/** The styles of the contract page, beside those of every page of the hub. */
export const CSS = `
.controls { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap;
  align-items: end; gap: 0.6rem 1.4rem; padding-block: 0.7rem; margin-block: 1rem 0.4rem;
  background: var(--ground); border-bottom: 1px solid var(--line); }
.find { flex: 1 1 16rem; font-weight: 600; }
/* Parts that need the script have their place before the script runs. */
.find[hidden] { display: block; visibility: hidden; }
@media (scripting: none) { .find[hidden] { display: none; } }
@media (scripting: enabled) {
  .unready > .sample::after { content: ''; display: block; height: 2.3rem; }
}
.find input { display: block; width: 100%; margin-top: 0.2rem; padding: 0.5rem 0.7rem;
  font: inherit; font-weight: 400; color: var(--ink); background: var(--card); border: 1px solid var(--quiet);
  border-radius: 8px; }
.controls fieldset { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; margin: 0; padding: 0;
  border: 0; }
.controls legend { padding: 0; font-weight: 600; }
.controls fieldset label { padding-block: 0.35rem; white-space: nowrap; }
.controls input { accent-color: var(--accent); }
#found { flex-basis: 100%; color: var(--quiet); }
#found:empty { display: none; }
.tree summary { cursor: pointer; padding-block: 0.25rem; font-weight: 600; }
.tree ul { list-style: none; margin: 0 0 0.5rem; padding-left: 0.8rem; border-left: 1px solid var(--line); }
.tree li { padding-block: 0.15rem; font-size: 0.92rem; }
.tree a[aria-current] { font-weight: 700; }
.hit { flex-basis: 100%; margin: 0; font-size: 0.92rem; color: var(--quiet); overflow-wrap: anywhere; }
.hit mark { color: inherit; background: none; font-weight: 700; text-decoration: underline; }
@media (min-width: 64rem) {
  .contract { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2rem; }
  .tree { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto;
    padding-block: 0.7rem; }
}
section.area > h2 { font-size: 1.35rem; margin-top: 2.2rem; scroll-margin-top: 8rem; }
.entry { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  margin-block: 0.4rem; content-visibility: auto; contain-intrinsic-size: auto 3.2rem; }
.entry > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 1rem;
  padding: 0.7rem clamp(0.8rem, 2.5vw, 1.3rem); cursor: pointer; list-style: none; }
.entry > summary::-webkit-details-marker { display: none; }
.entry > summary::before { content: '+'; width: 0.8rem; color: var(--accent); font-weight: 700; }
.entry[open] > summary::before { content: '−'; }
.entry > summary h3 { font-size: 1rem; margin: 0; flex: 1 1 14rem; }
.entry > summary .call { color: var(--quiet); }
.entry > .body { padding: 0 clamp(0.8rem, 2.5vw, 1.3rem) 1rem; scroll-margin-top: 11rem; }
h4 { font-size: 0.95rem; margin: 1.3rem 0 0.3rem; }
h5 { font-size: 0.9rem; margin: 0.6rem 0 0.2rem; font-weight: 600; color: var(--quiet); }
.body p { margin: 0.3rem 0; max-width: 46rem; }
.facts, .codes { margin: 0.4rem 0; padding-left: 1.2rem; }
.codes { padding: 0; list-style: none; }
dl.fields { grid-template-columns: minmax(0, 1fr); gap: 0; padding: 0.6rem 0.9rem;
  background: none; }
dl.fields dt { margin-top: 0.5rem; } dl.fields dt:first-child { margin-top: 0; }
dl.fields dd p { margin: 0.1rem 0; }
.type, .limits { color: var(--quiet); font-size: 0.9em; }
.fields b { font-size: 0.8em; color: var(--accent); }
.example > summary { cursor: pointer; padding-block: 0.2rem; }
.sample pre { white-space: pre; }
pre { max-height: 30rem; overflow: auto; margin: 0.3rem 0; }
button.copy { font: inherit; font-size: 0.88rem; min-height: 2rem; padding: 0.2rem 0.7rem;
  color: var(--ink); background: var(--card); border: 1px solid var(--quiet); border-radius: 8px;
  cursor: pointer; }
.sample { display: none; }
${['typescript', 'python', 'terminal', 'curl']
  .map(
    (language) =>
      `body:has(input[value='${language}']:checked) .sample[data-language='${language}']`,
  )
  .join(',\n')} { display: block; }
@media (max-width: 40rem) { .controls { position: static; } .entry > .body { scroll-margin-top: 5rem; } }
@media print {
  .controls, .tree, .hit, button.copy { display: none; }
  .entry { content-visibility: visible; border: 0; border-top: 1px solid var(--line); border-radius: 0; }
  pre, .sample pre { max-height: none; overflow: visible; white-space: pre-wrap; }
}
`;
