import { shareOf, usdc } from '../format.ts';
import { Split } from '../parts/plots.tsx';
import { Account, Facts, Money, ScrolledTable, Section, Time } from '../parts/shown.tsx';
import { Empty } from '../parts/states.tsx';
import { T } from '../texts.ts';
import { workTexts } from '../texts/work.ts';
import type { Economics } from '../types.ts';
import { glossary } from '../texts/glossary.ts';

export function MoneyOf({ economics }: { readonly economics: Economics }) {
  const { posted, network, held, settled, refunded, plan, earmarked } = economics;
  if (network === undefined || posted === '0') {
    return (
      <Section title={workTexts.task.money}>
        <Empty>{workTexts.task.noMoney}</Empty>
      </Section>
    );
  }
  const shown = (units: string) => <Money units={units} network={network} />;
  return (
    <Section title={workTexts.task.money} lead={workTexts.task.moneyLead}>
      <Facts
        terms={glossary}
        rows={[
          [workTexts.task.postedMoney, shown(posted)],
          [
            workTexts.task.heldMoney,
            held === undefined ? (
              workTexts.task.nothingHeld
            ) : (
              <>
                {shown(held.amount)} <small>{workTexts.task.heldKinds[held.kind]}</small>
                {held.until !== undefined && (
                  <>
                    , {workTexts.task.untilTime} <Time at={held.until} />
                  </>
                )}
              </>
            ),
          ],
          [workTexts.task.earmarked, earmarked === undefined ? undefined : shown(earmarked.judges)],
          [
            workTexts.task.refunded,
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
          <h3>{workTexts.task.plan}</h3>
          <Split
            title={workTexts.task.plan}
            parts={(['worker', 'hub', 'judges', 'loan'] as const)
              .filter((part) => plan[part] !== '0')
              .map((part) => ({
                label: workTexts.task.parts[part],
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
    <ScrolledTable label={workTexts.task.settled}>
      <caption>{workTexts.task.settled}</caption>
      <thead>
        <tr>
          <th scope="col">{workTexts.task.to}</th>
          <th scope="col">{T.amount}</th>
          <th scope="col">{workTexts.task.why}</th>
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
