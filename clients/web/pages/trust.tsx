import { unwrap } from '../../typescript/index.ts';
import { count, shareOf, usdc } from '../format.ts';
import { useLoad } from '../load.ts';
import { Split } from '../parts/plots.tsx';
import { Facts, Money, ScrolledTable, Section } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import { BooksNow } from '../trust/books.tsx';
import { CheckHere } from '../trust/check.tsx';
import { Pulses } from '../trust/pulses.tsx';
import { Seals } from '../trust/seals.tsx';
import { SupplyPlots } from '../trust/supplyPlots.tsx';
import type { Economy } from '../types.ts';

const EVERY_MS = 30_000;

/** Shows the hub's keys and books, and how to verify them. */
export function Trust() {
  const keys = useLoad('keys', async (signal) =>
    unwrap(await reader.GET('/keys', { headers: { accept: 'application/json' }, signal })),
  );
  const economy = useLoad(
    'economy',
    async (signal) => unwrap(await reader.GET('/api/v1/economy', { signal })),
    EVERY_MS,
  );
  return (
    <>
      <h1>{T.trust.title}</h1>
      <p class="lead">{T.trust.lead}</p>
      <CheckHere keys={keys} />
      <BooksNow />
      <Section title={T.trust.supply} lead={T.trust.supplyLead}>
        <With of={economy}>{(value) => <Supply economy={value} />}</With>
        <SupplyPlots />
      </Section>
      <Pulses keys={keys} />
      <Seals keys={keys} />
    </>
  );
}

function Supply({ economy }: { readonly economy: Economy }) {
  const { network, supply, supplyBefore, ofUsers, faucets, drains, feePool, moved, velocity } =
    economy;
  const money = (units: string) => <Money units={units} network={network} />;
  return (
    <>
      <Facts
        rows={[
          [T.trust.supplyNow, money(supply)],
          [T.trust.supplyBefore(economy.window), money(supplyBefore)],
          [T.trust.ofUsers, money(ofUsers)],
          [T.trust.cameIn, money(faucets.total)],
          [T.trust.wentOut, money(drains.total)],
          [T.trust.feePool, money(feePool)],
          [T.trust.moved, money(moved)],
          [T.trust.velocity, velocity],
        ]}
      />
      {faucets.total !== '0' && (
        <Split
          title={T.trust.cameIn}
          parts={(['issued', 'faucet', 'deposits'] as const).map((name) => ({
            label: T.trust.sources[name],
            share: shareOf(faucets[name], faucets.total),
            text: usdc(faucets[name]),
          }))}
        />
      )}
      {drains.total !== '0' && (
        <Split
          title={T.trust.wentOut}
          parts={(['withdrawn', 'burned', 'fees'] as const).map((name) => ({
            label: T.trust.drains[name],
            share: shareOf(drains[name], drains.total),
            text: usdc(drains[name]),
          }))}
        />
      )}
      <Flows economy={economy} />
    </>
  );
}

/** Every reason that moved money in the window, the largest first. */
function Flows({ economy: { byReason, network, window } }: { readonly economy: Economy }) {
  const flows = byReason
    .filter(({ count: times }) => times > 0)
    .sort((a, b) => (BigInt(b.amount) > BigInt(a.amount) ? 1 : -1));
  if (flows.length === 0) return null;
  return (
    <ScrolledTable label={T.trust.flows(window)}>
      <caption>{T.trust.flows(window)}</caption>
      <thead>
        <tr>
          <th scope="col">{T.task.why}</th>
          <th scope="col" class="number">
            {T.amount}
          </th>
          <th scope="col" class="number">
            {T.trust.transfers}
          </th>
        </tr>
      </thead>
      <tbody>
        {flows.map(({ reason, amount, count: times }) => (
          <tr key={reason}>
            <td>{T.reasons[reason] ?? reason}</td>
            <td class="number">
              <Money units={amount} network={network} />
            </td>
            <td class="number">{count(times)}</td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}
