import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { useLoad } from '../load.ts';
import { Account, Money, Section, Stranger, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { moreTexts } from '../texts/more.ts';
import { workTexts } from '../texts/work.ts';
import { RulingForm } from './rulingForm.tsx';

const EVERY_MS = 10_000;

export function Cases({ hub, own }: { readonly hub: Hub; readonly own: string }) {
  const params = { query: { arbiter: own } };
  const cases = useLoad(
    `cases ${own}`,
    async (signal) => unwrap(await hub.GET('/api/v1/disputes', { params, signal })),
    EVERY_MS,
  );
  return (
    <Section title={moreTexts.judges.cases} lead={moreTexts.judges.casesLead}>
      <With of={cases}>
        {({ disputes }) =>
          disputes.length === 0 ? (
            <Empty>{moreTexts.judges.noCases}</Empty>
          ) : (
            <ul class="rows">
              {disputes.map(({ taskId, raisedBy, reason, deadline, disputed }) => (
                <li key={taskId}>
                  <p class="meta">
                    <Money units={disputed.amount} network={disputed.network} />
                    <span>
                      {workTexts.dispute.raisedBy} <Account name={raisedBy} />
                    </span>
                    <span>
                      {moreTexts.judges.due} <Time at={deadline} />
                    </span>
                    <a href={pathTo(`work/${taskId}`)}>{moreTexts.judges.seeTask}</a>
                  </p>
                  <Stranger text={reason} />
                  <RulingForm id={taskId} hub={hub} own={own} ruled={cases.reload} />
                </li>
              ))}
            </ul>
          )
        }
      </With>
    </Section>
  );
}
