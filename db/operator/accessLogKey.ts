import { integer, text } from '../batch/columns.ts';
import { need } from '../batch/need.ts';
import { table } from '../batch/table.ts';
import type { Transaction, View } from '../batch/transaction.ts';

/** The secret by which the log names accounts, the same in every process of the hub. */
export const ACCESS_LOG_KEY = table(
  'access_log_key',
  { id: integer().key(), secret: text().fixed() },
  { personal: { apart: 'about no account' } },
);
const ONLY = 1;

/** Returns the secret; the first process makes it. */
export function accessLogKey(make: () => string): Transaction<string> {
  return {
    needs: [need(ACCESS_LOG_KEY, ONLY)],
    decide(db) {
      const found = db.find(ACCESS_LOG_KEY, ONLY);
      if (found !== undefined) return found.secret;
      const secret = make();
      db.put(ACCESS_LOG_KEY, ONLY, { id: ONLY, secret });
      return secret;
    },
  };
}

/** The secret, where a process has made it. */
export const KNOWN_ACCESS_LOG_KEY: View<string | undefined> = {
  needs: [need(ACCESS_LOG_KEY, ONLY)],
  decide: (db) => db.find(ACCESS_LOG_KEY, ONLY)?.secret,
};
