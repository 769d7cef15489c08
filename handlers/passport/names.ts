import { displayNames } from '../../db/passport/passports.ts';
import { parseAccount, type Account } from '../../domain/account.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Handler } from '../../workflows/kernel/handler.ts';
import { UNTRUSTED_PROFILES } from '../untrusted.ts';

/** The contract does not say it: many readers of patterns count no further than a thousand. */
const NAMES_MAX = 50;

export const names: Handler<'passport.names'> = async ({ query }, hub) => {
  const given = query.accounts.split(',');
  if (given.length > NAMES_MAX) {
    const error = `query.accounts has ${given.length} accounts; at most ${NAMES_MAX} are looked up.`;
    refuse('bad-account', { error, field: 'query.accounts' });
  }
  const accounts = [...new Set(given.map(accountOf))];
  const found = await hub.store.readOne((db) => displayNames(db, accounts));
  return { status: 200, body: { names: found, ...UNTRUSTED_PROFILES } };
};

function accountOf(text: string): Account {
  const error = `query.accounts has ${text}, which is no ed25519 public key in base58.`;
  return parseAccount(text) ?? refuse('bad-account', { error, field: 'query.accounts' });
}
