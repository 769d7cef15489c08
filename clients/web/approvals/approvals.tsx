import { unwrap } from '../../typescript/refusal.ts';
import type { OwnProps } from '../account/own.ts';
import { shortAccount } from '../format.ts';
import { useLoad, useNow } from '../load.ts';
import { useName } from '../names.ts';
import { Json, Section, Time } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, Failure, With } from '../parts/states.tsx';
import { approvalTexts as A } from '../texts/approvals.ts';
import { decideLater, decisionOf, failureOf, undo, useDecisions, type How } from './decisions.ts';
import { NotifyMe } from './notifyMe.tsx';
import { receiverOf, sentenceOf, type Approval, type Bound } from './sentence.ts';
import { useWaiting } from './waiting.ts';

const SECOND_MS = 1_000;

interface ApprovalsProps extends Pick<OwnProps, 'hub' | 'account'> {
  /** Shows nothing at all unless a call waits. */
  readonly isBrief?: boolean;
}

export function Approvals({ hub, account, isBrief = false }: ApprovalsProps) {
  const waiting = useWaiting();
  useDecisions();
  const params = { path: { owner: account } };
  const version = waiting.value?.map(({ id, state }) => `${id} ${state}`).join() ?? '';
  const keys = useLoad(`keys that ask ${account} ${version}`, async (signal) =>
    version === ''
      ? []
      : unwrap(await hub.GET('/api/v1/wallet/{owner}/keys', { params, signal })).keys,
  );
  const open = (waiting.value ?? []).filter(({ state }) => state === 'open');
  if (isBrief && open.length === 0) return null;
  const decide = async (id: string, decision: How): Promise<void> => {
    const path = { owner: account, id };
    const route = '/api/v1/wallet/{owner}/approvals/{id}';
    unwrap(await hub.POST(route, { params: { path }, body: { decision } }));
    waiting.reload();
  };
  const shown = isBrief ? open : undefined;
  return (
    <Section title={A.title} lead={A.lead}>
      <With of={waiting}>
        {(all) =>
          all.length === 0 ? (
            <Empty>{A.none}</Empty>
          ) : (
            <ul class="rows">
              {(shown ?? all).map((call) => (
                <OneCall key={call.id} call={call} keys={keys.value ?? []} decide={decide} />
              ))}
            </ul>
          )
        }
      </With>
      <NotifyMe />
    </Section>
  );
}

interface OneCallProps {
  readonly call: Approval;
  readonly keys: readonly Bound[];
  readonly decide: (id: string, how: How) => Promise<void>;
}

function OneCall({ call, keys, decide }: OneCallProps) {
  const { id, operation, state, request, expiresAt } = call;
  const receiver = receiverOf(call) ?? '';
  const name = useName(receiver);
  const nameOf = (account: string): string =>
    account === receiver && name !== undefined
      ? `${name} (${shortAccount(account)})`
      : shortAccount(account);
  const sentence = sentenceOf(call, keys, nameOf);
  const error = failureOf(id);
  return (
    <li>
      <p>
        <b>{sentence}</b>
      </p>
      <p class="meta">
        <StateBadge of="approval" state={state} />
        <span>
          {A.lapses} <Time at={expiresAt} />
        </span>
      </p>
      {state === 'open' && <Press id={id} sentence={sentence} decide={decide} />}
      {error !== undefined && <Failure error={error} />}
      <details>
        <summary>{A.details}</summary>
        <Json value={request} label={A.request(operation)} />
      </details>
    </li>
  );
}

interface PressProps extends Pick<OneCallProps, 'decide'> {
  readonly id: string;
  readonly sentence: string;
}

/** One press decides, and for five seconds another one takes it back. */
function Press({ id, sentence, decide }: PressProps) {
  const now = useNow(SECOND_MS);
  const decision = decisionOf(id);
  if (decision === undefined) {
    const press = (how: How) => (): void => decideLater(id, how, () => decide(id, how));
    return (
      <p class="actions">
        <button
          type="button"
          class="main"
          aria-label={A.about(A.approve, sentence)}
          onClick={press('approved')}
        >
          {A.approve}
        </button>
        <button type="button" aria-label={A.about(A.reject, sentence)} onClick={press('rejected')}>
          {A.reject}
        </button>
      </p>
    );
  }
  const left = Math.max(0, Math.ceil((decision.at - now) / SECOND_MS));
  return (
    <p class="actions">
      <span role="status">
        <b>{A.soon[decision.how]}</b>
      </span>
      <span class="quiet">{A.sentIn(left)}</span>
      <button
        type="button"
        class="small"
        disabled={decision.isSending}
        aria-label={A.about(A.undo, sentence)}
        onClick={() => undo(id)}
      >
        {A.undo}
      </button>
    </p>
  );
}
