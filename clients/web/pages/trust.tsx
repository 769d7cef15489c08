import { unwrap } from '../../typescript/refusal.ts';
import { count, shareOf, usdc } from '../format.ts';
import { useLoad } from '../load.ts';
import { Split } from '../parts/plots.tsx';
import { Facts, Money, ScrolledTable, Section } from '../parts/shown.tsx';
import { With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { T } from '../texts.ts';
import { trustTexts } from '../texts/trustPage.ts';
import { workTexts } from '../texts/work.ts';
import { BooksNow } from '../trust/books.tsx';
import { CheckHere } from '../trust/check.tsx';
import { Log } from '../trust/log.tsx';
import { Pulses } from '../trust/pulses.tsx';
import { Seals } from '../trust/seals.tsx';
import { SupplyPlots } from '../trust/supplyPlots.tsx';
import type { Economy } from '../types.ts';
import { glossary } from '../texts/glossary.ts';

const EVERY_MS = 30_000;

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
      <h1>{trustTexts.trust.title}</h1>
      <p class="lead">{trustTexts.trust.lead}</p>
      <CheckHere keys={keys} />
      <Log keys={keys} />
      <BooksNow />
      <Section title={trustTexts.trust.supply} lead={trustTexts.trust.supplyLead}>
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
      <div class="columns2 even">
        <Facts
          terms={glossary}
          rows={[
            [trustTexts.trust.supplyNow, money(supply)],
            [trustTexts.trust.supplyBefore(economy.window), money(supplyBefore)],
            [trustTexts.trust.ofUsers, money(ofUsers)],
            [trustTexts.trust.cameIn, money(faucets.total)],
            [trustTexts.trust.wentOut, money(drains.total)],
            [trustTexts.trust.feePool, money(feePool)],
            [trustTexts.trust.moved, money(moved)],
            [trustTexts.trust.velocity, velocity],
          ]}
        />
        <div>
          <Parts title={trustTexts.trust.cameIn} of={faucets} names={trustTexts.trust.sources} />
          <Parts title={trustTexts.trust.wentOut} of={drains} names={trustTexts.trust.drains} />
        </div>
      </div>
      <Flows economy={economy} />
    </>
  );
}

interface PartsProps<Name extends string> {
  readonly title: string;
  readonly of: Readonly<Record<NoInfer<Name> | 'total', string>>;
  readonly names: Readonly<Record<Name, string>>;
}

/** A total as a bar of its parts; nothing is drawn where nothing moved. */
function Parts<Name extends string>({ title, of, names }: PartsProps<Name>) {
  if (of.total === '0') return null;
  const parts = Object.entries(names) as [Name, string][];
  return (
    <>
      <h3>{title}</h3>
      <Split
        title={title}
        parts={parts.map(([name, label]) => ({
          label,
          share: shareOf(of[name], of.total),
          text: usdc(of[name]),
        }))}
      />
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
    <ScrolledTable label={trustTexts.trust.flows(window)}>
      <caption>{trustTexts.trust.flows(window)}</caption>
      <thead>
        <tr>
          <th scope="col">{workTexts.task.why}</th>
          <th scope="col" class="number">
            {T.amount}
          </th>
          <th scope="col" class="number">
            {trustTexts.trust.transfers}
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
