import { keys } from '../../../clients/typescript/node.ts';
import { at } from '../../harness/must.ts';
import type { Options } from './options.ts';
import type { Target } from './target.ts';

/** Looks whether there is a hub at the address, and what kind of money it has. */
const LOOK_MS_MAX = 20_000;

/** Why a run cannot begin; said with exit code 2. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}

export async function meet({ url, keyFile, isReal }: Options): Promise<Target> {
  const index = await look(`${url}/api/v1`);
  if (!Array.isArray(at(index.body, 'routes'))) {
    throw new CannotRun(`What answers at ${url}/api/v1 is no hub: it lists no routes.`);
  }
  const networks = at((await look(`${url}/api/v1/networks`)).body, 'networks');
  const known: readonly unknown[] = Array.isArray(networks) ? networks : [];
  const usual = known.find((network) => at(network, 'isDefault') === true);
  const hasRealMoney = at(usual, 'kind') !== 'test';
  if (hasRealMoney && !isReal) {
    throw new CannotRun(
      `The money of ${url} is real, and a run leaves tasks, notes and tables behind. ` +
        'Say --real to ask it all the same; no money is moved then.',
    );
  }
  return { url, aheadMs: index.aheadMs, payer: await payerOf(keyFile), isReal: hasRealMoney };
}

async function look(url: string): Promise<{ readonly body: unknown; readonly aheadMs: number }> {
  const signal = AbortSignal.timeout(LOOK_MS_MAX);
  const answer = await fetch(url, { signal }).catch((error: unknown) => {
    throw new CannotRun(`Nothing answers at ${url}: ${causeOf(error)}.`);
  });
  const date = Date.parse(answer.headers.get('date') ?? '');
  const text = await answer.text();
  try {
    // The header has whole seconds; half of one is its mean.
    const aheadMs = Number.isNaN(date) ? 0 : date + 500 - Date.now();
    return { body: JSON.parse(text) as unknown, aheadMs };
  } catch {
    throw new CannotRun(`What answers at ${url} is no hub: ${answer.status}, and not JSON.`);
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

async function payerOf(keyFile: string | undefined): Promise<Target['payer']> {
  if (keyFile === undefined) return undefined;
  try {
    return await keys.load(keyFile);
  } catch (error) {
    throw new CannotRun(error instanceof Error ? error.message : String(error));
  }
}
