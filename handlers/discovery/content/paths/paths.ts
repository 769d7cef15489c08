import { earningPaths } from './earningPaths.ts';
import type { Intent, Path, PathText } from './path.ts';
import { spendingPaths } from './spendingPaths.ts';

const PATHS: Readonly<Record<Intent, PathText>> = { ...earningPaths, ...spendingPaths };
const ORDER = [
  'earn',
  'use',
  'hire',
  'list',
  'judge',
  'play',
  'fund',
  'remember',
  'study',
] as const satisfies readonly Intent[];

export const paths = ORDER.map((intent) => ({ intent, what: PATHS[intent].leads }));

export function pathOf(intent: Intent): Path {
  const { leads: _, steps, ...text } = PATHS[intent];
  return { intent, ...text, steps: steps.map((step, place) => ({ n: place + 1, ...step })) };
}
