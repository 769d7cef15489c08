import type { Account } from '../../domain/account.ts';
import type { CommitmentId, InsufficientFunds, Transfer } from '../../domain/ledger/transfer.ts';
import { account } from '../columns.ts';
import { linkOf, statement, type Writer } from '../connection.ts';
import { decideIn } from '../batch/inside.ts';
import { commitmentsOf, post, readsWithoutCommitments, type Posted } from './post.ts';

const OWNERS_TEXT = `SELECT DISTINCT a.name FROM commitments c JOIN accounts a ON a.id = c.account_id
  WHERE c.id`;
const OWNERS = statement(
  `${OWNERS_TEXT} IN (SELECT value FROM json_each(?))`,
  `${OWNERS_TEXT} = ANY (?::text[])`,
);

/**
 * Runs `post` in a unit of single statements. The owners of commitments are locked before these are
 * read, since only the lock of its owner guards a commitment.
 */
export async function postInside(
  tx: Writer,
  transfer: Transfer,
): Promise<Posted | InsufficientFunds> {
  const { dialect } = linkOf(tx);
  const owners = await ownersOf(tx, commitmentsOf(transfer.steps));
  return decideIn(tx, {
    needs: readsWithoutCommitments(dialect, transfer, owners),
    decide: (db) => post(db, transfer),
  });
}

async function ownersOf(tx: Writer, ids: readonly CommitmentId[]): Promise<readonly Account[]> {
  if (ids.length === 0) return [];
  const rows = await linkOf(tx).rows(OWNERS, [ids]);
  return rows.map((row) => account(row, 'name'));
}
