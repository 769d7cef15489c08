import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Histogram,
  Registry,
  type MetricObject,
} from 'prom-client';
import type { HighWaterMark } from '../../db/ledger/highWaterMark.ts';
import { operatorFigures } from '../../db/operator/figures.ts';
import { movedSince } from '../../db/operator/moved.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import { inTime } from '../../workflows/kernel/inTime.ts';
import { logFailure } from '../../workflows/kernel/logFailure.ts';
import type { Driver } from '../jobs/driver.ts';
import type { Observe } from '../middleware/observe.ts';
import type { Siblings } from '../workers/link.ts';
import {
  databaseGaugesIn,
  gaugesIn,
  processMetrics,
  setAll,
  surroundingMetrics,
  type GaugeOf,
} from './healthMetrics.ts';

/**
 * The metrics that Prometheus reads of one process (choices operator.metrics). Requests are counted
 * as they end; figures of the database are read at each scrape and absent while it does not answer.
 * One of several workers answers for all of them, each with its number as a label.
 */
export interface Metrics {
  readonly contentType: string;
  readonly observe: Observe;
  text(): Promise<string>;
}

/** Seconds; long polls end beyond the last. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Prometheus gives a scrape up after ten seconds, and would not see the process itself. */
const FIGURES_MS_MAX = 5_000;

export function openMetrics(hub: Hub, driver: Driver, siblings?: Siblings): Metrics {
  const registry = new Registry();
  if (siblings !== undefined) registry.setDefaultLabels({ worker: siblings.worker });
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'hub_requests_total',
    help: 'Requests that were answered, by operation or door, status and refusal code.',
    labelNames: ['operation', 'status', 'code'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'hub_request_duration_seconds',
    help: 'From the first byte read to the answer handed over, by operation or door.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers: [registry],
  });
  const jobs = jobMetrics(registry);
  const passes = passMetrics(registry);
  const search = searchMetrics(registry);
  const frozen = gaugesIn(registry)('hub_ledger_frozen', '1 while this process moves no money.');
  const own = processMetrics(registry);
  const { gauge, forget } = databaseGaugesIn(registry);
  const around = surroundingMetrics(gauge);
  const database = databaseMetrics(registry, gauge);
  const read = async (): Promise<true> => {
    await around(hub);
    await database(hub);
    return true;
  };
  const renew = async (): Promise<void> => {
    jobs(driver);
    passes(hub);
    search(hub);
    frozen.set(hub.store.frozenSince() === undefined ? 0 : 1);
    const failed = (error: unknown): undefined => {
      logFailure(hub.log, error, 'the figures of the database could not be read');
    };
    const answers = await inTime(read().catch(failed), FIGURES_MS_MAX);
    if (answers === undefined) forget();
    own(hub, answers === true);
  };
  siblings?.report(async () => {
    await renew();
    return labelled(await registry.getMetricsAsJSON());
  });
  return {
    contentType: registry.contentType,
    observe: ({ operation, status, code, ms }) => {
      requests.inc({ operation, status, code });
      seconds.observe({ operation }, ms / 1000);
    },
    async text() {
      if (siblings !== undefined) {
        return AggregatorRegistry.aggregate([...(await siblings.gather())]).metrics();
      }
      await renew();
      return registry.metrics();
    },
  };
}

/** The library's own rules would average or drop some; the label keeps workers apart already. */
function labelled(families: readonly MetricObject[]): readonly MetricObject[] {
  return families.map((family) => ({ ...family, aggregator: 'sum' }));
}

function jobMetrics(registry: Registry): (driver: Driver) => void {
  const gauge = gaugesIn(registry);
  const at = gauge('hub_job_last_run_seconds', 'Unix time of the last run of a job.', ['job']);
  const failed = gauge('hub_job_failed', '1 while the last run of a job failed.', ['job']);
  return (driver) => {
    for (const { name: job, lastRunAt, lastError } of driver.report()) {
      if (lastRunAt !== undefined) at.set({ job }, lastRunAt / 1000);
      failed.set({ job }, lastError === undefined ? 0 : 1);
    }
  };
}

/** Passes beyond one a transaction show where what it reads is not named beforehand. */
function passMetrics(registry: Registry): (hub: Hub) => void {
  const counter = (name: string, help: string, label = 'transaction'): Counter =>
    new Counter({ name, help, labelNames: [label], registers: [registry] });
  const runs = counter('hub_transactions_total', 'Transactions that ended, by operation.');
  const passes = counter(
    'hub_transaction_passes_total',
    'How often they ran until all that they look up was read.',
  );
  const stale = counter(
    'hub_batch_stale_total',
    'Batches decided on a row that another process changed meanwhile, by table.',
    'table',
  );
  return ({ store }) => {
    for (const each of [runs, passes, stale]) each.reset();
    for (const [table, count] of store.stale()) stale.inc({ table }, count);
    for (const [transaction, counted] of store.passes()) {
      runs.inc({ transaction }, counted.transactions);
      passes.inc({ transaction }, counted.passes);
    }
  };
}

function searchMetrics(registry: Registry): (hub: Hub) => void {
  const gauge = gaugesIn(registry);
  const documents = gauge('hub_search_documents', 'Documents in the search index of this process.');
  const ready = gauge(
    'hub_search_ready_seconds',
    'Seconds that the last load of the search index took; 0 while it needs no thread of its own.',
  );
  const vectors = new Counter({
    name: 'hub_search_vectors_total',
    help: 'Texts of listings and queries whose vector was asked of the model of search, by their end.',
    labelNames: ['of', 'end'],
    registers: [registry],
  });
  return ({ search, byMeaning }) => {
    vectors.reset();
    for (const [name, ended] of byMeaning.model === undefined ? [] : byMeaning.figures()) {
      const [of = '', end = ''] = name.split(' ');
      vectors.inc({ of, end }, ended);
    }
    const figures = search.figures();
    documents.set(figures.documents);
    ready.set((figures.readyMs ?? 0) / 1000);
  };
}

function databaseMetrics(registry: Registry, gauge: GaugeOf): (hub: Hub) => Promise<void> {
  const unsealed = gauge('hub_ledger_unsealed_transfers', 'Transfers that no sealed block covers.');
  const sealLag = gauge(
    'hub_ledger_unsealed_seconds',
    'Seconds since the oldest transfer that no sealed block covers.',
  );
  const missed = gauge('hub_time_minutes_missed', 'Minutes of the chain without a pulse.');
  const age = gauge('hub_time_pulse_age_seconds', 'Seconds since the newest pulse.');
  const due = gauge('hub_crawls_due', 'Origins that wait for a visit of the crawler.');
  const listings = gauge('hub_listings', 'Listings by availability.', ['availability']);
  const tasks = gauge('hub_tasks', 'Tasks by state.', ['state']);
  const calls = gauge('hub_call_attempts_last_hour', "The router's calls by their end.", ['ended']);
  const labelNames = ['network', 'reason'];
  const registers = [registry];
  const money = new Counter({
    name: 'hub_money_moved_atomic_total',
    help: 'Atomic units that came to accounts since the first scrape of this process, by reason.',
    labelNames,
    registers,
  });
  const entries = new Counter({
    name: 'hub_money_entries_total',
    help: 'Journal entries that brought money to an account, by reason.',
    labelNames,
    registers,
  });
  let mark: HighWaterMark | undefined;
  return async (hub) => {
    const now = hub.clock.now();
    const figures = await hub.store.read((db) => operatorFigures(db, now));
    unsealed.set(figures.unsealed);
    sealLag.set(figures.unsealedMs / 1000);
    missed.set(figures.minutesMissed);
    if (figures.pulseAgeMs !== undefined) age.set(figures.pulseAgeMs / 1000);
    due.set(figures.crawlsDue);
    setAll(listings, 'availability', figures.listings);
    setAll(tasks, 'state', figures.tasks);
    setAll(calls, 'ended', figures.calls);
    const found = await hub.store.read((db) => movedSince(db, mark));
    mark = found.mark;
    for (const { network, reason, amount, count } of found.moved) {
      money.inc({ network, reason }, amount);
      entries.inc({ network, reason }, count);
    }
  };
}
