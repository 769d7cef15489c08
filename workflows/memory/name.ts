import { spaceNamed } from '../../db/memory/spaces.ts';
import type { Reader } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { refuse } from '../kernel/errors.ts';

/** Refuses a name that a space of the owner has, and names that space. */
export async function refuseName(db: Reader, owner: Account, name: string): Promise<never> {
  const space = await spaceNamed(db, owner, name);
  refuse('name-taken', {
    error: `You have a space named ${JSON.stringify(name)}${space === undefined ? '' : `; its id is ${space.id}`}.`,
    hint: 'Use that space, or take another name. GET /api/v1/memory/spaces lists all of yours.',
    field: 'body.name',
  });
}
