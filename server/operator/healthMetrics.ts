import { Gauge, type Registry } from 'prom-client';
import { surroundings } from '../../db/operator/surroundings.ts';
import { FAULT_KINDS } from '../../workflows/kernel/health.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';

/** A fault of `/readyz` that no process finds by itself. */
const DATABASE = 'database';

/** Figures for alerts: the clock, the disk and keys of this process, and what the hub relies on. */
export type GaugeOf = (name: string, help: string, labelNames?: readonly string[]) => Gauge;

export function gaugesIn(registry: Registry): GaugeOf {
  return (name, help, labelNames = []) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
}

/** Gauges of what a database says, and `forget`, which takes all values from the page. */
export function databaseGaugesIn(registry: Registry): {
  readonly gauge: GaugeOf;
  readonly forget: () => void;
} {
  const forgets: (() => void)[] = [];
  const gaugeOf = gaugesIn(registry);
  return {
    gauge(name, help, labelNames = []) {
      const own = gaugeOf(name, help, labelNames);
      // One without labels is 0 after a reset, which would be a figure.
      forgets.push(() => (labelNames.length === 0 ? own.remove() : own.reset()));
      return own;
    },
    forget() {
      for (const each of forgets) each();
    },
  };
}

/** Resets labels that are gone: a state without tasks is not the last number seen. */
export function setAll(gauge: Gauge, label: string, values: ReadonlyMap<string, number>): void {
  gauge.reset();
  for (const [name, value] of values) gauge.set({ [label]: name }, value);
}

/** `answers` is whether the database did. */
export function processMetrics(registry: Registry): (hub: Hub, answers: boolean) => void {
  const gauge = gaugesIn(registry);
  const ahead = gauge(
    'hub_clock_ahead_seconds',
    'Seconds by which the clock of this process is ahead of others; negative when behind.',
    ['reference'],
  );
  const wrong = gauge('hub_clock_wrong', '1 while the clock is too far off to sign time.');
  const faults = gauge('hub_faults', 'Faults for which this process is not ready.');
  const fault = gauge('hub_fault', '1 while this process has such a fault.', ['fault']);
  const free = gauge('hub_disk_free_bytes', 'Free bytes where this process stores.', ['folder']);
  const low = gauge('hub_disk_low', '1 while fewer are free than HUB_DISK_LOW_MB.', ['folder']);
  const left = gauge(
    'hub_certificate_left_seconds',
    'Seconds until the certificate ends that HUB_BASE_URL shows; absent without TLS.',
  );
  left.remove();
  return ({ health, clock }, answers) => {
    const { state, readings } = health.clock();
    const seconds = readings.map(({ reference, aheadMs }) => [reference, aheadMs / 1000] as const);
    setAll(ahead, 'reference', new Map(seconds));
    wrong.set(state === 'wrong' ? 1 : 0);
    const found = [
      ...health.faults().map(({ kind }) => kind),
      ...(answers ? [] : ([DATABASE] as const)),
    ];
    faults.set(found.length);
    const kinds = [...FAULT_KINDS, DATABASE] as const;
    setAll(fault, 'fault', new Map(kinds.map((kind) => [kind, found.includes(kind) ? 1 : 0])));
    const disks = health.disks();
    setAll(free, 'folder', new Map(disks.map(({ folder, freeBytes }) => [folder, freeBytes])));
    setAll(low, 'folder', new Map(disks.map(({ folder, isLow }) => [folder, isLow ? 1 : 0])));
    const end = health.certificateEndsAt();
    if (end !== undefined) left.set((end - clock.now()) / 1000);
  };
}

export function surroundingMetrics(gauge: GaugeOf): (hub: Hub) => Promise<void> {
  const backup = gauge(
    'hub_backup_age_seconds',
    'Seconds since the newest backup, or since the beginning of the hub where there is none.',
  );
  const feeds = gauge('hub_feeds_failing', 'Feeds of which no page was read for an hour.');
  const webhooks = gauge(
    'hub_webhooks',
    'Webhooks by state; failing ones are active and have taken nothing for an hour.',
    ['state'],
  );
  const standbys = gauge('hub_database_standbys', 'Standbys of the database that are connected.');
  const missing = gauge(
    'hub_database_standbys_missing',
    'Standbys that COMMIT waits for or that have a slot, and that are not connected.',
  );
  const archive = gauge(
    'hub_database_archive_failed',
    '1 while the newest attempt to archive the log of the database failed.',
  );
  return async ({ store, clock }) => {
    const now = clock.now();
    const found = await store.read((db) => surroundings(db, now));
    if (found.backupAgeMs !== undefined) backup.set(found.backupAgeMs / 1000);
    feeds.set(found.feedsFailing);
    const none = [['active', 0] as const, ['failing', 0] as const];
    setAll(webhooks, 'state', new Map<string, number>([...none, ...found.webhooks]));
    if (found.replication === undefined) return;
    standbys.set(found.replication.standbys);
    missing.set(found.replication.missing);
    archive.set(found.replication.archiveFails ? 1 : 0);
  };
}
