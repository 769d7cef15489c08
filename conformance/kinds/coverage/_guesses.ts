import { at } from '../../harness/must.ts';

/** Both walks of guesses follow a refusal as it stands. */
export const REFUSALS_MAX = 1;

export interface Fault {
  readonly field: string;
  readonly message: string;
  readonly nearest?: string;
}

/** The faults of a refusal in any form; none where the call was taken, or refused for its state. */
export function faultsIn(body: unknown): readonly Fault[] {
  const places = [['faults'], ['error', 'faults'], ['error', 'details', 0, 'faults']] as const;
  const found = places.map((place) => at(body, ...place)).find((each) => each !== undefined);
  return (found ?? []) as readonly Fault[];
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A name becomes the nearest, and what is missing or wrong the value of the right one. */
export function correctedIn<Value>(
  place: 'body' | 'query',
  given: Readonly<Record<string, Value>>,
  faults: readonly Fault[],
  right: Readonly<Record<string, Value>>,
): Record<string, Value> {
  const next = { ...given };
  const named = ({ field }: Fault): string | undefined =>
    new RegExp(`^${place}\\.([^.[]+)`).exec(field)?.[1];
  for (const fault of faults) {
    const name = named(fault);
    if (name === undefined || !(name in next) || name in right) continue;
    const value = next[name];
    if (fault.nearest !== undefined && value !== undefined) next[fault.nearest] = value;
    delete next[name];
  }
  for (const fault of faults) {
    const name = named(fault) ?? '';
    const value = right[name];
    const isAbsent = fault.message.endsWith(' is required.');
    if (value !== undefined && !(isAbsent && name in next)) next[name] = value;
  }
  return next;
}
