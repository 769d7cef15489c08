import { grantOf, lockSpace, readSpace, type Grant, type Space } from '../../db/memory/spaces.ts';
import type { Reader, Writer } from '../../db/store.ts';
import type { Account } from '../../domain/account.ts';
import { rightsIn, type Right } from '../../domain/memory/access.ts';
import { refuse } from '../kernel/errors.ts';

/** Who may do what in a space, asked in the unit that does it: a revoked grant is gone at once. */
export interface Access {
  readonly space: Space;
  readonly rights: readonly Right[];
}

const WHAT: Readonly<Record<Right, string>> = {
  read: 'read it',
  write: 'write in it',
  grant: 'do this with it',
};

export async function access(
  db: Reader,
  id: string,
  account: Account,
  right: Right,
): Promise<Access> {
  return checked(db, await readSpace(db, id), account, right);
}

/** The same, and no other transaction changes the space or its notes until this one ends. */
export async function lockAccess(
  tx: Writer,
  id: string,
  account: Account,
  right: Right,
): Promise<Access> {
  return checked(tx, await lockSpace(tx, id), account, right);
}

async function checked(
  db: Reader,
  space: Space | undefined,
  account: Account,
  right: Right,
): Promise<Access> {
  if (space === undefined) return noSuchSpace();
  const grant = space.owner === account ? undefined : await grantOf(db, space, account);
  return accessTo(space, account, right, grant);
}

/** The same of a space and a grant that were read. */
export function accessTo(
  space: Space | undefined,
  account: Account,
  right: Right,
  grant: Grant | undefined,
): Access {
  if (space === undefined) return noSuchSpace();
  const rights = rightsIn(space, account, grant);
  if (rights.includes(right)) return { space, rights };
  const isReader = rights.includes('read');
  return refuse('not-granted', {
    error: `This space belongs to another account, which did not let you ${WHAT[right]}.`,
    ...(right !== 'grant' && {
      hint: isReader
        ? `You may read. Ask its owner for POST /api/v1/memory/grants with "grantee": "${account}" and "canWrite": true.`
        : `Ask its owner for POST /api/v1/memory/grants with "grantee": "${account}"${right === 'write' ? ' and "canWrite": true' : ''}.`,
    }),
    ...(right === 'grant' && { hint: 'Only the owner can; use a space of your own.' }),
  });
}

function noSuchSpace(): never {
  return refuse('not-found', {
    error: 'There is no memory space with this id.',
    hint: 'POST /api/v1/memory/spaces makes one and answers its id.',
  });
}
