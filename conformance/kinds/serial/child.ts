import { randomInt, randomUUID } from 'node:crypto';
import { accountKey, ACCOUNTS } from '../../../db/ledger/accountsTable.ts';
import { post, readsOf } from '../../../db/ledger/post.ts';
import { need } from '../../../db/batch/need.ts';
import { openStore } from '../../../db/store.ts';
import { transferId } from '../../../domain/ledger/transfer.ts';
import { pay, PLACE, transfer } from '../../ledger/book.ts';
import type { Begun, Ended, Report, Round } from './history.ts';

/** One process of `npm run serial`: pays between few accounts and looks at them, as it is asked. */
const LOOKS_PERCENT = 30;
const AMOUNT_MAX = 40;
/** Names what a payment is decided on beforehand in some calls; the others find out. */
const HINTED_PERCENT = 50;

const store = await openStore(process.argv[2] ?? '', { report: () => undefined });
const report = (each: Report): void => void process.send?.(each);
const now = (): number => Number(process.hrtime.bigint());

process.on('message', (round: Round) => {
  void Promise.all(
    Array.from({ length: round.clients }, (_, nth) => runClient(round, round.firstClient + nth)),
  ).then(() => report({ done: true }));
});
process.on('disconnect', () => process.exit(0));
report({ done: true });

async function runClient(round: Round, client: number): Promise<void> {
  for (let call = 0; call < round.calls; call += 1) {
    const [from, to] = twoPlaces(round.accounts.length);
    const amount = randomInt(1, AMOUNT_MAX);
    const isLook = randomInt(100) < LOOKS_PERCENT;
    const begun: Begun = { client, at: now(), ...(!isLook && { pay: { from, to, amount } }) };
    report({ begun });
    const answer = await decided(round, begun, randomInt(100) < HINTED_PERCENT).catch(
      () => undefined,
    );
    report({ ended: { client, at: now(), ...(answer && { answer }) } });
  }
}

function decided(
  { accounts }: Round,
  { pay: asked }: Begun,
  isHinted: boolean,
): Promise<NonNullable<Ended['answer']>> {
  const keys = accounts.map((account) => accountKey({ ...PLACE, account }));
  const looks = keys.map((key) => need(ACCOUNTS, key));
  const [from, to] = [accounts[asked?.from ?? 0], accounts[asked?.to ?? 0]];
  if (from === undefined || to === undefined) throw new Error('an account is missing');
  const moved =
    asked && transfer([pay(from, to, BigInt(asked.amount))], { id: transferId(randomUUID()) });
  const reads = moved === undefined ? [] : readsOf(store.dialect, moved);
  return store.decide({
    needs: isHinted ? [...looks, ...reads] : [],
    decide(db) {
      const balances = keys.map((key) => Number(db.find(ACCOUNTS, key)?.posted ?? 0n));
      return { isPaid: moved !== undefined && 'posted' in post(db, moved), balances };
    },
  });
}

function twoPlaces(count: number): readonly [number, number] {
  const from = randomInt(count);
  return [from, (from + randomInt(1, count)) % count];
}
