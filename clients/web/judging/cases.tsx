import { unwrap, type Hub } from '../../typescript/index.ts';
import { useLoad } from '../load.ts';
import { Account, Money, Section, Stranger, Time } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { pathTo } from '../routes.ts';
import { T } from '../texts.ts';
import { RulingForm } from './rulingForm.tsx';

const EVERY_MS = 10_000;

/** The disputes that were drawn to this account's seat, each with its ruling. */
export function Cases({ hub, own }: { readonly hub: Hub; readonly own: string }) {
  const params = { query: { arbiter: own } };
  const cases = useLoad(
    `cases ${own}`,
    async (signal) => unwrap(await hub.GET('/api/v1/disputes', { params, signal })),
    EVERY_MS,
  );
  return (
    <Section title={T.judges.cases} lead={T.judges.casesLead}>
      <With of={cases}>
        {({ disputes }) =>
          disputes.length === 0 ? (
            <Empty>{T.judges.noCases}</Empty>
          ) : (
            <ul class="rows">
              {disputes.map(({ taskId, raisedBy, reason, deadline, disputed }) => (
                <li key={taskId}>
                  <p class="meta">
                    <Money units={disputed.amount} network={disputed.network} />
                    <span>
                      {T.dispute.raisedBy} <Account name={raisedBy} />
                    </span>
                    <span>
                      {T.judges.due} <Time at={deadline} />
                    </span>
                    <a href={pathTo(`work/${taskId}`)}>{T.judges.seeTask}</a>
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
