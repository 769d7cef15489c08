import type { Hub } from '../../typescript/hub.ts';
import { nextCalls, type NextCall } from '../../typescript/next.ts';
import { SureForm } from '../parts/fields.tsx';
import { Account, Section, Time } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { usePress } from '../press.ts';
import { useSession } from '../session.ts';
import { termsTexts as X } from '../texts/terms.ts';
import type { Economics, Task } from '../types.ts';
import { Described } from './amended.tsx';
import { AmendForm } from './amendForm.tsx';
import { changesOf } from './amending.ts';

interface TermsProps {
  readonly task: Task;
  readonly economics: Economics;
  readonly changed: () => void;
}

/** Changes of the terms that were made or proposed, with the answers and the form of the parties. */
export function Terms({ task, economics, changed }: TermsProps) {
  const session = useSession();
  const own = session.state === 'open' ? session.account : undefined;
  const { amendments = [] } = task;
  const kinds = changesOf(task, own);
  if (amendments.length === 0 && kinds.length === 0) return null;
  return (
    <Section title={X.title} lead={X.lead}>
      <ol class="rows">
        {amendments.map((amendment) => (
          <li key={amendment.id}>
            <p class="meta">
              <StateBadge of="amendment" state={amendment.state} />
              <span>
                {X.by} <Account name={amendment.by} own={own} />
              </span>
              <Time at={amendment.endedAt ?? amendment.createdAt} />
            </p>
            <Described amendment={amendment} network={task.reward?.network ?? ''} />
            {session.state === 'open' &&
              nextCalls(session.hub, amendment)
                .filter((_, place) => amendment.next[place]?.who === own)
                .map((step) => (
                  <Answer
                    key={JSON.stringify(step.call.body)}
                    step={step}
                    hub={session.hub}
                    task={task}
                    changed={changed}
                  />
                ))}
          </li>
        ))}
      </ol>
      {session.state === 'open' && kinds.length > 0 && (
        <details>
          <summary>{X.change}</summary>
          <AmendForm
            task={task}
            economics={economics}
            kinds={kinds}
            hub={session.hub}
            own={session.account}
            changed={changed}
          />
        </details>
      )}
    </Section>
  );
}

interface AnswerProps extends Pick<TermsProps, 'task' | 'changed'> {
  readonly step: NextCall;
  readonly hub: Hub;
}

const WORDS = ['accept', 'refuse', 'withdraw'] as const;

/** A word of the other side, or of its author, that ends a proposal. */
function Answer({ step, hub, task, changed }: AnswerProps) {
  const word = WORDS.find((name) => step.call.body?.[name] !== undefined) ?? 'refuse';
  const { label, question, yes } = X.answers[word];
  const press = usePress(hub, {
    form: `${word} ${String(step.call.body?.[word])}`,
    what: X.pressOf(task.title),
    work: async (once) => {
      const amendment = task.amendments?.find(({ id }) => id === step.call.body?.[word]);
      const [again] = nextCalls(once, {
        next: (amendment?.next ?? []).filter(({ call }) => call.body?.[word] !== undefined),
      });
      await again?.run({});
      changed();
    },
  });
  return (
    <SureForm
      label={label}
      question={question}
      yes={yes}
      isOff={false}
      isMain={word === 'accept'}
      press={press}
    />
  );
}
