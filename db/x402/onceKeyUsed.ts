import { linkOf, statement, type Reader } from '../connection.ts';
import type { OnceKey } from '../idempotency.ts';

const USED = statement(`SELECT 1 AS used FROM idempotency
  WHERE account = ? AND operation = ? AND key = ?`);

/** Whether the call was made before, so that it answers again and costs nothing. */
export async function onceKeyUsed(
  db: Reader,
  { account, operation, key }: Omit<OnceKey, 'digest'>,
): Promise<boolean> {
  return (await linkOf(db).rows(USED, [account, operation, key])).length > 0;
}
