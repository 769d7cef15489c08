/** The last figures of each part, stored in `docs/figures.json`; `docs/figures/` quotes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';

const STORED = new URL('../../../docs/figures.json', import.meta.url);

/** Replaces the figures of the parts that ran. */
export async function keep(runs) {
  const parts = { ...readKept(), ...Object.fromEntries(runs.map((run) => [run.part, run])) };
  const sorted = Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(STORED, await format(JSON.stringify(sorted), { parser: 'json', printWidth: 100 }));
}

export function readKept() {
  return JSON.parse(readFileSync(STORED, 'utf8'));
}
