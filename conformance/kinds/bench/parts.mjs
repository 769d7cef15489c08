import { execFileSync } from 'node:child_process';
import { COMPARISONS } from '../peers/parts.mjs';
import { startAndIdle } from './start.mjs';

const program = (name) => () =>
  execFileSync('npx', ['tsx', `conformance/kinds/bench/${name}.ts`], { stdio: 'inherit' });

/** The parts that measure the hub alone. `npm run bench` runs these. */
export const OWN = {
  start: startAndIdle,
  ...Object.fromEntries(
    ['tasks', 'bets', 'checks', 'rails', 'processes', 'workers', 'tables', 'journal'].map(
      (name) => [name, program(name)],
    ),
  ),
};

export const PARTS = { ...OWN, ...COMPARISONS };
