import type { Hub } from '../../typescript/hub.ts';
import { unwrap } from '../../typescript/refusal.ts';
import { HUB } from '../hubAddress.ts';
import { useLoad } from '../load.ts';
import { Copyable } from '../parts/copy.tsx';
import { Field, SureForm } from '../parts/fields.tsx';
import { Account, Badge, Section } from '../parts/shown.tsx';
import { Empty, With } from '../parts/states.tsx';
import { useDraft } from '../session.ts';
import { accountTexts } from '../texts/account.ts';
import type { Got } from '../types.ts';

type Bound = Got<'/api/v1/wallet/{owner}/keys'>['keys'][number];

interface KeysProps {
  readonly hub: Hub;
  readonly account: string;
}

/** A second key of the same account, so that clearing this browser loses nothing. */
export function Keys({ hub, account }: KeysProps) {
  const [text, setText] = useDraft('second key');
  const params = { path: { owner: account } };
  const keys = useLoad(`keys of ${account}`, async (signal) =>
    unwrap(await hub.GET('/api/v1/wallet/{owner}/keys', { params, signal })),
  );
  const publicKey = text.trim().replace(/^key:/, '');
  const join = async (): Promise<void> => {
    unwrap(await hub.POST('/api/v1/wallet/{owner}/keys', { params, body: { publicKey } }));
    setText('');
    keys.reload();
  };
  return (
    <Section title={accountTexts.keys.title} lead={accountTexts.keys.lead}>
      <With of={keys}>
        {(list) =>
          list.count === 0 ? (
            <Empty>{accountTexts.keys.none}</Empty>
          ) : (
            <ul class="rows">
              {list.keys.map((bound) => (
                <OneKey key={bound.publicKey} bound={bound} />
              ))}
            </ul>
          )
        }
      </With>
      <SureForm
        label={accountTexts.keys.join}
        question={accountTexts.keys.question(`key:${publicKey}`)}
        yes={accountTexts.keys.yes}
        isOff={publicKey === ''}
        isMain
        work={join}
      >
        <Field
          label={accountTexts.keys.other}
          value={text}
          onInput={setText}
          hint={accountTexts.keys.otherHint}
        />
      </SureForm>
    </Section>
  );
}

/** A pending key has to sign the same request where it is kept; the line does that. */
function OneKey({ bound }: { readonly bound: Bound }) {
  const { publicKey, state, owner, signedBy = [] } = bound;
  return (
    <li>
      <Account name={`key:${publicKey}`} />{' '}
      <Badge tone={state === 'bound' ? 'good' : 'wait'}>{accountTexts.keys.states[state]}</Badge>
      {state === 'pending' && !signedBy.includes('key') && (
        <>
          <p class="quiet">{accountTexts.keys.pending}</p>
          <Copyable
            label={accountTexts.keys.pending}
            text={accountTexts.keys.line(HUB, owner, publicKey)}
          />
        </>
      )}
    </li>
  );
}
