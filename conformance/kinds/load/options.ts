import { parseArgs } from 'node:util';

export interface Options {
  readonly minutes: number;
  readonly agents: number;
  readonly database: 'postgres' | 'sqlite';
  /** Milliseconds that an agent rests between two activities, on average. */
  readonly paceMs: number;
  readonly json: boolean;
}

export const USAGE = `npm run soak:load -- [--minutes 5] [--agents 200] [--database postgres|sqlite] [--pace 1600] [--json]
`;
const MINUTES_MAX = 24 * 60;
const AGENTS_MAX = 1_000;

/** Undefined when the words ask for something else. */
export function readOptions(words: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...words],
    options: {
      minutes: { type: 'string', default: '5' },
      agents: { type: 'string', default: '200' },
      database: { type: 'string', default: 'postgres' },
      pace: { type: 'string', default: '1600' },
      json: { type: 'boolean', default: false },
    },
  });
  const [minutes, agents, paceMs] = [values.minutes, values.agents, values.pace].map(Number);
  const { database, json } = values;
  if (database !== 'postgres' && database !== 'sqlite') return undefined;
  if (!isWithin(minutes, 1, MINUTES_MAX) || !isWithin(agents, 10, AGENTS_MAX)) return undefined;
  if (!isWithin(paceMs, 0, 60_000)) return undefined;
  return { minutes, agents, database, paceMs, json };
}

function isWithin(value: number | undefined, min: number, max: number): value is number {
  return value !== undefined && value >= min && value <= max;
}
