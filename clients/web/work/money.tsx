import { shareOf, usdc } from '../format.ts';
import { Split } from '../parts/plots.tsx';
import { Account, Facts, Money, ScrolledTable, Section, Time } from '../parts/shown.tsx';
import { Empty } from '../parts/states.tsx';
import { T } from '../texts.ts';
import type { Economics } from '../types.ts';

/** Where every unit of the reward is, and where it will go. */
export function MoneyOf({ economics }: { readonly economics: Economics }) {
  const { posted, network, held, settled, refunded, plan, earmarked } = economics;
  if (network === undefined || posted === '0') {
    return (
      <Section title={T.task.money}>
        <Empty>{T.task.noMoney}</Empty>
      </Section>
    );
  }
  const shown = (units: string) => <Money units={units} network={network} />;
  return (
    <Section title={T.task.money} lead={T.task.moneyLead}>
      <Facts
        rows={[
          [T.task.postedMoney, shown(posted)],
          [
            T.task.heldMoney,
            held === undefined ? (
              T.task.nothingHeld
            ) : (
              <>
                {shown(held.amount)} <small>{T.task.heldKinds[held.kind]}</small>
                {held.until !== undefined && (
                  <>
                    , {T.task.untilTime} <Time at={held.until} />
                  </>
                )}
              </>
            ),
          ],
          [T.task.earmarked, earmarked === undefined ? undefined : shown(earmarked.judges)],
          [
            T.task.refunded,
            refunded === undefined ? undefined : (
              <>
                {shown(refunded.amount)} <small>{T.events[refunded.why] ?? refunded.why}</small>,{' '}
                <Time at={refunded.at} />
              </>
            ),
          ],
        ]}
      />
      {plan !== undefined && settled.length === 0 && (
        <>
          <h3>{T.task.plan}</h3>
          <Split
            title={T.task.plan}
            parts={(['worker', 'hub', 'judges', 'loan'] as const)
              .filter((part) => plan[part] !== '0')
              .map((part) => ({
                label: T.task.parts[part],
                share: shareOf(plan[part], plan.reward),
                text: usdc(plan[part]),
              }))}
          />
        </>
      )}
      {settled.length > 0 && <Settled settled={settled} network={network} />}
    </Section>
  );
}

function Settled({ settled, network }: Pick<Economics, 'settled'> & { readonly network: string }) {
  return (
    <ScrolledTable label={T.task.settled}>
      <caption>{T.task.settled}</caption>
      <thead>
        <tr>
          <th scope="col">{T.task.to}</th>
          <th scope="col">{T.amount}</th>
          <th scope="col">{T.task.why}</th>
          <th scope="col">{T.when}</th>
        </tr>
      </thead>
      <tbody>
        {settled.map(({ to, amount, why, at, transferId }) => (
          <tr key={`${transferId} ${to} ${why}`}>
            <td>
              <Account name={to} />
            </td>
            <td>
              <Money units={amount} network={network} />
            </td>
            <td>{T.reasons[why] ?? why}</td>
            <td>
              <Time at={at} />
            </td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}
