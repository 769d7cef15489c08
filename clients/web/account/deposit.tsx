import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { useAction, useLoad } from '../load.ts';
import { Copyable, Id } from '../parts/copy.tsx';
import { Facts, Money, Section, Time } from '../parts/shown.tsx';
import { StateBadge } from '../parts/stateBadge.tsx';
import { Empty, Failure, With } from '../parts/states.tsx';
import { custodyTexts as C } from '../texts/custody.ts';
import type { Got } from '../types.ts';
import type { OwnProps } from './own.ts';

type Movement = Got<'/api/v1/wallet/{owner}/movements'>['movements'][number];
type Address = OwnProps['wallet']['depositAddress'];

const EVERY_MS = 5_000;
export function Deposit({ hub, account, wallet, changed }: OwnProps) {
  const { network, depositAddress } = wallet;
  const [made, setMade] = useState<Address>();
  const action = useAction();
  const shown = made ?? depositAddress;
  const ask = (): void =>
    action.run(async () => {
      const params = { path: { owner: account } };
      setMade(
        unwrap(
          await hub.POST('/api/v1/wallet/{owner}/deposit-address', { params, body: { network } }),
        ),
      );
    });
  return (
    <Section title={C.deposit.title} lead={C.deposit.lead}>
      {shown.address !== null && <AddressOf address={shown} text={shown.address} />}
      {shown.address === null && made === undefined && (
        <button type="button" onClick={ask} aria-busy={action.isRunning}>
          {C.deposit.ask}
        </button>
      )}
      {shown.address === null && made !== undefined && (
        <div role="status">
          <p>{C.deposit.none}</p>
          <ul class="quiet">
            {shown.missing.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </div>
      )}
      {action.error !== undefined && <Failure error={action.error} />}
      <Deposits hub={hub} account={account} wallet={wallet} changed={changed} />
    </Section>
  );
}

function AddressOf({ address, text }: { readonly address: Address; readonly text: string }) {
  const { chainId, tokenContract, confirmations } = address;
  return (
    <>
      <Copyable text={text} label={C.deposit.yours} />
      <Facts
        rows={[
          [C.deposit.chain, chainId],
          [C.deposit.token, tokenContract === undefined ? undefined : <code>{tokenContract}</code>],
          [
            C.deposit.counts,
            confirmations === undefined ? undefined : C.deposit.blocks(confirmations),
          ],
        ]}
      />
    </>
  );
}

function Deposits({ hub, account, wallet: { network } }: OwnProps) {
  const params = { path: { owner: account }, query: { network } };
  const movements = useLoad(
    `movements ${account} ${network}`,
    async (signal) =>
      unwrap(await hub.GET('/api/v1/wallet/{owner}/movements', { params, signal })).movements,
    EVERY_MS,
  );
  return (
    <>
      <h3>{C.deposit.seen}</h3>
      <With of={movements}>
        {(list) => {
          const deposits = list.filter(({ kind }) => kind === 'deposit');
          if (deposits.length === 0) return <Empty>{C.deposit.noneSeen}</Empty>;
          return (
            <ul class="rows">
              {deposits.map((each) => (
                <li key={each.id}>
                  <MovementOf movement={each} />
                </li>
              ))}
            </ul>
          );
        }}
      </With>
    </>
  );
}

function MovementOf({ movement }: { readonly movement: Movement }) {
  const { state, rail, amount, network, at, txHash, expectedAt, failureReason } = movement;
  const { confirmations, confirmationsNeeded = 0 } = movement;
  return (
    <>
      <p class="meta">
        <StateBadge of="movement" state={state} />
        <Money units={amount} network={network} />
        <span>{C.movement.rails[rail]}</span>
        {confirmations !== undefined && (
          <span>{C.movement.blocks(confirmations, confirmationsNeeded)}</span>
        )}
        <Time at={at} />
        {expectedAt !== undefined && (
          <span>
            {C.movement.expected} <Time at={expectedAt} />
          </span>
        )}
      </p>
      {txHash !== undefined && (
        <p class="quiet">
          {C.movement.transaction} <Id text={txHash} />
        </p>
      )}
      {failureReason !== undefined && <p class="quiet">{failureReason}</p>}
    </>
  );
}
