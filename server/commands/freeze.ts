import { beginPause, endPause } from '../../db/operator/pause.ts';
import type { Writer } from '../../db/store.ts';
import { iso } from '../../domain/instant.ts';
import { readSettings } from '../boot/config.ts';
import { systemClock } from '../../workflows/kernel/systemClock.ts';
import { inDatabase, type Command, type Environment, type Print } from './command.ts';

/** `hubctl freeze REASON`: every process of this database stops moving money within two seconds. */
export const freeze: Command = async ([reason, ...more], env, print) => {
  if (reason === undefined || reason === '' || more.length > 0) return undefined;
  const since = systemClock.now();
  return changed(env, print, async (tx) =>
    (await beginPause(tx, { since, reason }))
      ? `From ${iso(since)} no money moves; reads go on. hubctl thaw ends it.\n`
      : undefined,
  );
};

/** `hubctl thaw`: money moves again, but in a process that found its books wrong. */
export const thaw: Command = async (words, env, print) => {
  if (words.length > 0) return undefined;
  return changed(env, print, async (tx) =>
    (await endPause(tx)) ? 'Money moves again within two seconds.\n' : undefined,
  );
};

function changed(
  env: Environment,
  print: Print,
  work: (tx: Writer) => Promise<string | undefined>,
): Promise<0 | 1 | 2> {
  return inDatabase(readSettings(env), print, async (store) => {
    const done = await store.write(work);
    print(done ?? 'It is so already.\n');
    return done === undefined ? 1 : 0;
  });
}
