import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { HUB } from '../hubAddress.ts';
import { useLoad } from '../load.ts';
import { Copyable } from '../parts/copy.tsx';
import { Field, SureForm } from '../parts/fields.tsx';
import { Account, Badge, Section } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, With } from '../parts/states.tsx';
import { useDraft } from '../session.ts';
import { WaysIn } from '../signin/waysIn.tsx';
import { accountTexts } from '../texts/account.ts';
import { keyTexts } from '../texts/keys.ts';
import type { Got } from '../types.ts';
import { LimitBars, LimitedKey, SaveMandate } from './limitedKeys.tsx';
import type { OwnProps } from './own.ts';

type Bound = Got<'/api/v1/wallet/{owner}/keys'>['keys'][number];

interface KeysProps extends OwnProps {
  /** The key of this browser, which cannot end itself. */
  readonly keyId: string;
  readonly isExportable: boolean;
}

export function Keys(own: KeysProps) {
  const { hub, account } = own;
  const [text, setText] = useDraft('second key');
  const [left, setLeft] = useState<string>();
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
  const revoke = async (keyId: string): Promise<void> => {
    const path = { owner: account, keyId };
    const route = '/api/v1/wallet/{owner}/keys/{keyId}/revoke';
    const { remains } = unwrap(await hub.POST(route, { params: { path } }));
    setLeft(remains && keyTexts.remains(remains));
    keys.reload();
  };
  return (
    <>
      <Section title={accountTexts.keys.title} lead={accountTexts.keys.lead}>
        <With of={keys}>
          {(list) =>
            list.count === 0 ? (
              <Empty>{accountTexts.keys.none}</Empty>
            ) : (
              <ul class="rows">
                {list.keys.map((bound) => (
                  <OneKey key={bound.publicKey} {...{ own, bound, revoke }} />
                ))}
              </ul>
            )
          }
        </With>
        {left !== undefined && <p role="status">{left}</p>}
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
      <LimitedKey {...own} minted={keys.reload} />
      <WaysIn {...own} added={keys.reload} />
    </>
  );
}

interface OneKeyProps {
  readonly own: KeysProps;
  readonly bound: Bound;
  readonly revoke: (keyId: string) => Promise<void>;
}

/** A pending key has to sign the same request where it is kept; the line does that. */
function OneKey({ own, bound, revoke }: OneKeyProps) {
  const { publicKey, state, owner, label, spending, revokedAt, signedBy = [] } = bound;
  const name = `key:${publicKey}`;
  const isRevoked = revokedAt !== undefined;
  return (
    <li>
      {label !== undefined && <b>{label} </b>}
      <Account name={name} />{' '}
      {isRevoked ? (
        <Badge tone="quiet">{keyTexts.revoked}</Badge>
      ) : (
        <StateBadge of="key" state={state} />
      )}
      {spending !== undefined && !isRevoked && (
        <>
          <LimitBars spending={spending} network={own.wallet.network} />
          <SaveMandate {...own} keyId={publicKey} />
        </>
      )}
      {state === 'bound' && !isRevoked && publicKey !== own.keyId && (
        <SureForm
          label={keyTexts.revoke}
          name={`${keyTexts.revoke}: ${name}`}
          question={keyTexts.revokeQuestion(name)}
          yes={keyTexts.revokeYes}
          isOff={false}
          isDanger
          work={() => revoke(publicKey)}
        />
      )}
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
