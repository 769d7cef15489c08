import { openTrial } from '../../db/trial.ts';
import type { TrialEntry } from '../../db/ledger/trialEntries.ts';
import { defined } from '../../domain/defined.ts';
import type { components } from '../../generated/types.ts';
import type { AnyReply } from '../http/wire.ts';
import { HubError } from '../../workflows/kernel/errors.ts';
import { NO_BUDGET } from '../../workflows/kernel/storageBudget.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { inTime } from '../../workflows/kernel/inTime.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';
import { JSON_TYPE } from '../middleware/exchange.ts';
import { openUnits } from './units.ts';

/**
 * A tried call (`Prefer: dry-run`, choices pipeline.preview): the real call in a transaction that
 * is rolled back. Where the hub would reach out (hosts, chains, models, files), or the answer is sold
 * or secret until then (`x-dry-run`), the trial ends, reports that, and shows what was decided.
 */
type Preview = components['schemas']['Preview'];

export const PREVIEW_TYPE = 'application/vnd.hub.preview+json';
/** A trial may hold the one writer of SQLite; far above any unit. */
const TRIAL_MS_MAX = 5_000;

/** Ends a trial where the real call would leave the hub. */
class Stopped extends Error {}

export async function preview(
  hub: Hub,
  { id: operation, dryRun }: OperationSpec,
  run: (hub: Hub) => Promise<AnyReply>,
): Promise<AnyReply> {
  const trial = openTrial(hub.store);
  let stopsBefore: string | undefined;
  let untilThen: Promise<readonly TrialEntry[]> | undefined;
  const stop = (before: string): never => {
    stopsBefore ??= before;
    untilThen ??= trial.entries();
    throw new Stopped(before);
  };
  try {
    const reply = await triedInTime(run(triedHub(hub, trial.store, stop))).catch(
      (thrown: unknown) => {
        // A handler that takes the end of the trial for a failure of the other side goes on with it.
        if (stopsBefore === undefined) throw thrown;
        return undefined;
      },
    );
    const isStream = reply !== undefined && (reply.type ?? JSON_TYPE) !== JSON_TYPE;
    if (isStream) stopsBefore ??= 'the stream of its answer';
    stopsBefore ??= dryRun?.stopsBefore;
    const entries = dryRun?.hidesEntries === true ? [] : await (untilThen ?? trial.entries());
    const body: Preview = {
      dryRun: true,
      operation,
      ...defined({ stopsBefore }),
      ...(stopsBefore === undefined && {
        answer: reply?.body as Readonly<Record<string, unknown>>,
      }),
      fees: feesOf(entries),
      entries: entries.slice(0, ENTRIES_MAX),
    };
    const headers = { 'preference-applied': 'dry-run' };
    return { status: 200, type: PREVIEW_TYPE, headers, body };
  } finally {
    await trial.end();
  }
}

const ENTRIES_MAX = 200;

function triedHub(hub: Hub, store: Hub['store'], stop: (before: string) => never): Hub {
  const agent = (): never => stop('a call to another server');
  const over = new AbortController();
  const { fetch: _fetch, stream: _stream, texts: _texts, ...outbound } = hub.outbound;
  return {
    ...hub,
    store,
    storage: NO_BUDGET,
    // The end of a trial is no failure, and any other failure is in its answer.
    log: hub.log.child({}, { level: 'silent' }),
    ...openUnits(store, hub.callers, hub.clock),
    trial: { stop, gone: over.signal },
    // It waits for nothing while it holds a transaction: it gives what there is now.
    notifier: {
      ...hub.notifier,
      wait() {
        over.abort();
        return Promise.resolve(false);
      },
    },
    outbound: { ...outbound, fetch: agent, stream: agent, texts: agent },
    agents: {
      callTool: agent,
      callMcp: agent,
      sendMessage: agent,
      callMethod: agent,
      openMcp: agent,
      callToolIn: agent,
    },
    models: { ...hub.models, ask: () => stop('the upstream model') },
    chains: {
      settings: (network) => hub.chains.settings(network),
      facts: (network) => hub.chains.facts(network),
      networks: hub.chains.networks,
      port: () => stop('the chain'),
      wallets: (network) => hub.chains.wallets(network),
    },
    files: { ...hub.files, put: () => stop('the store of files') },
    allowances: { ...hub.allowances, introduce: () => stop('the wider allowance') },
    worlds: {
      async of(account) {
        const world = await hub.worlds.of(account);
        return world && { ...world, advance: () => stop('the clock of the test world') };
      },
      open: () => stop('the test world'),
      close: () => stop('the end of the test world'),
    },
  };
}

/** Returns the fees of the hub's own accounts, by network and asset. */
function feesOf(entries: readonly TrialEntry[]): Preview['fees'] {
  const sums = new Map<string, bigint>();
  for (const { account, kind, delta, network, asset } of entries) {
    if (kind !== 'move' || !account.startsWith('hub:')) continue;
    const key = `${network} ${asset}`;
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(delta));
  }
  return [...sums]
    .filter(([, amount]) => amount > 0n)
    .map(([key, amount]) => {
      const [network = '', asset = ''] = key.split(' ');
      return { network, asset, amount: `${amount}` } as Preview['fees'][number];
    });
}

async function triedInTime<T>(work: Promise<T>): Promise<T> {
  const ended = await inTime(
    work.then((value) => ({ value })),
    TRIAL_MS_MAX,
  );
  if (ended !== undefined) return ended.value;
  throw new HubError('busy', { error: 'The trial took too long; nothing was kept.' }, {});
}
