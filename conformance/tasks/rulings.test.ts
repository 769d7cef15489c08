import assert from 'node:assert/strict';
import { at, mustOk } from '../harness/must.ts';
import { borrow, spendableOf } from '../services/_lend.ts';
import { onEachDatabase, openCourt, type PanelDriver } from '../validators/_court.ts';
import { object, ruled } from './_disputing.ts';
import { act, claim, money, publish, RULE, type Body } from './_work.ts';

/**
 * Choices disputes.money to the unit: what each party gets, worked out by hand beside the hub.
 * `worker` is the worker's side, of which `repaid` goes to its loan first; the parts add up to the
 * reward.
 */
const TABLE = `
    reward kind      raised by ruling      loan    hub judges arbiter worker requester repaid
   1000000 judged    requester rejected    -    =  30000  10000   9600  950400       0      0
   1000000 judged    requester upheld      -    =      0  10000   9600       0  980400      0
   1000000 judged    requester split:2500  -    =   7500  10000   9600  237600  735300      0
   1000000 judged    worker    upheld      -    =  30000  10000   9600  950400       0      0
   1000000 judged    worker    rejected    -    =  30000  10000   9600  950400       0      0
   1234567 judged    requester split:3333  -    =  12344  12345  11851  391072  806955      0
   1234567 judged    requester upheld      -    =      0  12345  11851       0 1210371      0
      3333 judged    worker    split:1     -    =      0     33     32       0    3268      0
   1000000 automatic requester rejected    -    =  30000      0   9700  960300       0      0
   1000000 automatic requester upheld      -    =      0      0   9700       0  990300      0
   1000000 automatic worker    upheld      -    =  30000      0   9700  960300       0      0
   1000000 automatic requester split       -    =  15000      0   9700  480150  495150      0
      1000 automatic requester rejected    -    =     30      0      9     961       0      0
      1000 automatic requester upheld      -    =      0      0      9       0     991      0
      1001 automatic worker    split:9999  -    =     29      0      9     961       2      0
      1033 automatic requester split:1     -    =      0      0     10       0    1023      0
    999999 automatic requester split:0     -    =      0      0   9700       0  990299      0
    999999 automatic worker    split:10000 -    =  29999      0   9700  960300       0      0
   1000003 automatic requester split:3333  -    =   9999      0   9700  320068  660236      0
   2999999 automatic worker    split:6667  -    =  60002      0  29100 1920696  990201      0
   1000000 automatic requester rejected    loan =  30000      0   9700  960300       0 336600
   1000000 judged    worker    upheld      loan =  30000  10000   9600  950400       0 336600
   1000000 automatic requester split:2500  loan =   7500      0   9700  240075  742725 240075
   1000000 automatic requester split:3600  loan =  10800      0   9700  345708  633792 336600
   1234567 judged    requester split:3000  loan =  11111  12345  11851  352000  847260 352000
   1000000 automatic requester upheld      loan =      0      0   9700       0  990300      0
   1000007 automatic worker    split:0     loan =      0      0   9700       0  990307      0`;

interface Line {
  readonly text: string;
  readonly reward: string;
  readonly judged: boolean;
  readonly byWorker: boolean;
  readonly verdict: string;
  readonly share: number | undefined;
  readonly lends: boolean;
  readonly parts: readonly string[];
  readonly repaid: number;
}

function lineOf(text: string): Line {
  const [asked = '', is = ''] = text.split('=');
  const [reward = '', kind, by, ruling = '', loan] = asked.trim().split(/\s+/);
  const [verdict = '', share] = ruling.split(':');
  const parts = is.trim().split(/\s+/);
  return {
    text: text.trim().replaceAll(/\s+/g, ' '),
    reward,
    judged: kind === 'judged',
    byWorker: by === 'worker',
    verdict,
    share: share === undefined ? undefined : Number(share),
    lends: loan === 'loan',
    parts: parts.slice(0, 5),
    repaid: Number(parts[5]),
  };
}

onEachDatabase('a ruling moves the money of choices disputes.money', (url) => {
  let driver: PanelDriver;
  before(async () => {
    driver = await openCourt({ databaseUrl: await url(), judges: 5 });
  });
  after(() => driver.close());

  for (const line of TABLE.trim().split('\n').slice(1).map(lineOf)) {
    it(line.text, async () => {
      const { alice, agent, anyone } = driver.world;
      const worker = await agent();
      const terms = line.judged ? { verification: 'validator' } : { acceptance: RULE };
      const { id } = await publish(alice, { rewardAmount: line.reward, ...terms });
      const claimToken = await claim(worker, id);
      const lent = line.lends ? mustOk(await borrow(worker, id)) : undefined;
      mustOk(await act(worker, id, 'submit', { claimToken, result: 'done' }));
      if (line.judged) await driver.sit();
      mustOk(await object(line.byWorker ? worker : alice, id));
      const [balance] = await money(alice);

      const over: Body = line.share === undefined ? {} : { workerShareBps: line.share };
      const { dispute, state } = await ruled(driver, id, line.verdict, over);
      const names = ['hub', 'judges', 'arbiter', 'worker', 'requester'];
      assert.deepEqual(
        names.map((name) => at(dispute, 'money', name)),
        line.parts,
      );
      const sum = line.parts.reduce((total, part) => total + BigInt(part), 0n);
      assert.equal(`${sum}`, line.reward);
      const refunded = line.verdict === 'upheld' && !line.byWorker;
      assert.equal(state, refunded ? 'refunded' : 'paid');

      const spent = BigInt(line.reward) - BigInt(line.parts[4] ?? 0);
      const [after, held] = await money(alice);
      assert.deepEqual([BigInt(String(balance)) - BigInt(String(after)), held], [spent, '0']);
      const advance = Number(at(lent, 'principal') ?? 0);
      const debt = Number(at(lent, 'debt') ?? 0);
      const kept = Math.max(0, advance + Number(line.parts[3]) - debt);
      assert.equal(await spendableOf(worker), `${kept}`);

      const economics = mustOk(await anyone.get(`/api/v1/tasks/${id}/economics`));
      const settled = economics['settled'] as Body[];
      const of = (...whys: string[]): number =>
        settled
          .filter(({ why }) => whys.includes(String(why)))
          .reduce((total, { amount }) => total + Number(amount), 0);
      assert.equal(of('loan.repay', 'loan.origination'), 0, 'no other account reads of a loan');
      const { entries } = mustOk(await worker.get(`/api/v1/wallet/${worker.account}/statement`));
      const ruledBy = at(dispute, 'money', 'transferId');
      const repaid = (entries as Body[]).filter(
        ({ reason, transferId }) => transferId === ruledBy && /^loan/.test(String(reason)),
      );
      assert.equal(
        repaid.reduce((total, { amount }) => total + Number(amount), 0),
        line.repaid,
      );
      assert.equal(`${of('dispute.arbiter')}`, line.parts[2]);
      const back = Number(at(economics, 'refunded', 'amount') ?? 0);
      const all = settled.reduce((total, { amount }) => total + Number(amount), 0);
      assert.deepEqual([`${back + all}`, economics['held']], [line.reward, undefined]);
    });
  }
});
