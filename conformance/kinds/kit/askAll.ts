import { answered } from '../../harness/answered.ts';
import { operations } from '../../harness/contract.ts';
import { ask } from './ask.ts';
import { areaOf } from './files.ts';
import { loaders } from './loaders.ts';
import type { Operations, Result } from './results.ts';

/** The one file that asks every operation; in an area it asks those of the area. */
const EVERY_OPERATION = 'kinds/fuzz/everyOperation';

export async function askAll(
  areas: readonly string[],
  reported: (file: string, results: readonly Result[]) => void,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const [file, load] of Object.entries(loaders)) {
    if (!isWanted(file, areas)) continue;
    const of = await ask(file, load);
    reported(file, of);
    results.push(...of);
  }
  return results;
}

const hasOperations = (area: string): boolean =>
  operations.some(({ operationId }) => areaOf(operationId) === area);

function isWanted(file: string, areas: readonly string[]): boolean {
  if (areas.length === 0 || areas.includes(areaOf(file))) return true;
  return file === EVERY_OPERATION && areas.some(hasOperations);
}

export function operationsSeen(areas: readonly string[]): Operations {
  const isAll = areas.length === 0 || areas.includes(areaOf(EVERY_OPERATION));
  const wanted = operations
    .map(({ operationId }) => operationId)
    .filter((id) => isAll || areas.includes(areaOf(id)));
  const succeeded = (id: string): boolean => [...(answered.get(id) ?? [])].some((s) => s < 300);
  return {
    declared: wanted.length,
    answered: wanted.filter((id) => answered.has(id)).length,
    neverSucceeded: wanted.filter((id) => !succeeded(id)),
  };
}
