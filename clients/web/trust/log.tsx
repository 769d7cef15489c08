import { useState } from 'preact/hooks';
import { unwrap } from '../../typescript/refusal.ts';
import { count, shortId } from '../format.ts';
import { useAction, useLoad, type Loaded } from '../load.ts';
import { Field } from '../parts/fields.tsx';
import { Badge, Facts, Section, Time } from '../parts/shown.tsx';
import { Empty, Failure, With } from '../parts/states.tsx';
import { reader } from '../session.ts';
import { logTexts as L } from '../texts/log.ts';
import type { Got } from '../types.ts';
import { verifier } from './verdict.tsx';
import { glossary } from '../texts/glossary.ts';

type State = Got<'/api/v1/log'>;
/** Whether the newest checkpoint is good, and follows the one that this browser saw before. */
type Growth =
  | { readonly is: 'good'; readonly fromSize: number | undefined; readonly root: string }
  | { readonly is: 'bad'; readonly says: string }
  | { readonly is: 'fork'; readonly seen: string; readonly now: string };

const EVERY_MS = 10_000;
const SEEN = 'log.checkpoint';

export function Log({ keys }: { readonly keys: Loaded<unknown> }) {
  const isReady = keys.value !== undefined;
  const log = useLoad(
    `log ${String(isReady)}`,
    async (signal) => {
      const state = unwrap(await reader.GET('/api/v1/log', { signal }));
      const growth = isReady ? await growthOf(state, keys.value, signal) : undefined;
      return { state, growth };
    },
    EVERY_MS,
  );
  return (
    <Section title={L.title} lead={L.lead}>
      <With of={log}>
        {({ state, growth }) =>
          state.checkpoint === undefined ? (
            <Empty>{L.none}</Empty>
          ) : (
            <>
              {growth !== undefined && <GrowthOf growth={growth} again={log.reload} />}
              <Facts
                terms={glossary}
                rows={[
                  [L.size, count(state.size)],
                  [L.root, <Root key="root" growth={growth} />],
                  [L.issued, state.issuedAt !== undefined && <Time at={state.issuedAt} />],
                  [L.origin, <code key="origin">{state.origin}</code>],
                ]}
              />
              <Witnesses state={state} />
            </>
          )
        }
      </With>
      <Receipts keys={keys.value} />
    </Section>
  );
}

/** Compares with the checkpoint of this browser, and keeps the new one when it continues that. */
async function growthOf(
  { checkpoint }: State,
  keys: unknown,
  signal: AbortSignal,
): Promise<Growth | undefined> {
  if (checkpoint === undefined) return undefined;
  const seen = localStorage.getItem(SEEN);
  const before = seen ?? checkpoint;
  const from = Number(before.split('\n')[1]);
  const answer = await reader.GET('/api/v1/log/consistency', {
    params: { query: { from } },
    signal,
  });
  // A log that is smaller refuses the earlier size: an old answer, which proves nothing.
  if (answer.response.status === 400) return { is: 'bad', says: L.older };
  const after = unwrap(answer);
  const { verify } = await verifier();
  const found = await verify.consistent({ before, after }, keys);
  if (found.ok) {
    localStorage.setItem(SEEN, after.checkpoint);
    const fromSize = seen === null ? undefined : found.fromSize;
    return { is: 'good', fromSize, root: found.root };
  }
  if (found.reason === 'chain') return { is: 'fork', seen: before, now: after.checkpoint };
  return { is: 'bad', says: found.says };
}

interface GrowthProps {
  readonly growth: Growth;
  readonly again: () => void;
}

function GrowthOf({ growth, again }: GrowthProps) {
  if (growth.is === 'good') {
    return (
      <p role="status">
        <Badge tone="good">{L.good}</Badge>{' '}
        {growth.fromSize !== undefined && L.grew(growth.fromSize)}
      </p>
    );
  }
  const startOver = (): void => {
    localStorage.removeItem(SEEN);
    again();
  };
  return (
    <div class="failure" role="alert">
      {growth.is === 'bad' ? (
        <p>
          <strong>{L.bad}</strong> {growth.says}
        </p>
      ) : (
        <>
          <p>{L.fork}</p>
          <h3>{L.seen}</h3>
          <pre>{growth.seen}</pre>
          <h3>{L.shown}</h3>
          <pre>{growth.now}</pre>
        </>
      )}
      <button type="button" onClick={startOver}>
        {L.startOver}
      </button>
    </div>
  );
}

function Root({ growth }: { readonly growth: Growth | undefined }) {
  if (growth?.is !== 'good') return null;
  return (
    <span class="mono" title={growth.root}>
      {shortId(growth.root)}
    </span>
  );
}

function Witnesses({ state: { witnesses } }: { readonly state: State }) {
  return (
    <>
      <h3>{L.witnesses}</h3>
      {witnesses.length === 0 && <Empty>{L.noWitness}</Empty>}
      <ul class="rows">
        {witnesses.map(({ name, size, signedAt }) => (
          <li key={name}>
            <p class="meta">
              <b class="mono">{name}</b>
              <span>{size === undefined ? L.notYet : L.signed(size)}</span>
              {signedAt !== undefined && <Time at={signedAt} />}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

interface LookedUp {
  readonly kind: keyof typeof L.kinds;
  readonly digest: string;
  /** Why it is not in the log; its place otherwise. */
  readonly found: { readonly index: number } | { readonly says: string };
}

/** Looks receipts up by their digests, and verifies the proofs here. */
function Receipts({ keys }: { readonly keys: unknown }) {
  const [text, setText] = useState('');
  const [list, setList] = useState<readonly LookedUp[] | 'not-json'>();
  const action = useAction();
  const look = (): void =>
    action.run(async () => {
      setList(undefined);
      setList(await lookUp(text, keys));
    });
  const found = list === 'not-json' ? undefined : list;
  return (
    <>
      <h3>{L.ask}</h3>
      <Field label={L.paste} value={text} onInput={setText} rows={4} hint={L.hint} />
      <p>
        <button
          type="button"
          onClick={look}
          aria-busy={action.isRunning}
          disabled={keys === undefined || text.trim() === ''}
        >
          {L.check}
        </button>
      </p>
      {action.error !== undefined && <Failure error={action.error} />}
      {list === 'not-json' && <Empty>{L.notJson}</Empty>}
      {found?.length === 0 && <Empty>{L.nothing}</Empty>}
      <ul class="rows" aria-live="polite">
        {found?.map(({ kind, digest, found: place }) => (
          <li key={digest}>
            <p class="meta">
              <b>{L.kinds[kind]}</b>
              <span class="mono" title={digest}>
                {shortId(digest)}
              </span>
              <Badge tone={'index' in place ? 'good' : 'bad'}>
                {'index' in place ? L.in(place.index) : L.out}
              </Badge>
              {'says' in place && <span>{place.says}</span>}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

async function lookUp(text: string, keys: unknown): Promise<readonly LookedUp[] | 'not-json'> {
  let receipt: unknown;
  try {
    receipt = JSON.parse(text);
  } catch {
    return 'not-json';
  }
  const { verify, receiptsIn, webCrypto } = await verifier();
  const list: LookedUp[] = [];
  for (const { kind, text: content } of receiptsIn(receipt)) {
    const hash = await webCrypto.sha256(new TextEncoder().encode(content));
    const digest = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
    const path = '/api/v1/log/proofs/{digest}';
    const answer = await reader.GET(path, { params: { path: { digest } } });
    if (answer.response.status === 404) {
      list.push({ kind, digest, found: { says: answer.error?.hint ?? '' } });
      continue;
    }
    const verdict = await verify.logged({ receipt, proof: unwrap(answer) }, keys);
    list.push({ kind, digest, found: verdict.ok ? { index: verdict.index } : verdict });
  }
  return list;
}
