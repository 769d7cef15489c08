import type { AppParts } from '../http/app.ts';
import type { Entrance } from '../boot/entrance.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import type { Driver } from '../jobs/driver.ts';
import type { Limits } from '../http/limits.ts';
import type { OpenedLog } from '../boot/log.ts';
import type { Siblings } from '../workers/link.ts';
import { ADMIN_PATH, openAdmin } from './admin.ts';
import { operatorPaths } from './endpoints.ts';
import { listenForOperator } from './listener.ts';

/** The metrics and endpoints for the operator. The metrics library is loaded where they are on. */
export interface Operator {
  readonly app: Pick<AppParts, 'observe' | 'operatorPaths'>;
  drain(): void;
  close(): void;
}

interface Around {
  readonly entrance: Entrance;
  readonly siblings: Siblings | undefined;
  readonly limits: Limits;
}

/** Metrics are on by a port of their own or by a token. */
export async function openOperator(
  hub: Hub,
  driver: Driver,
  alerts: OpenedLog['alerts'],
  { entrance, siblings, limits }: Around,
): Promise<Operator> {
  const { metricsPort, metricsToken } = hub.settings;
  const isOn = metricsPort !== undefined || metricsToken !== undefined;
  const metrics = isOn
    ? (await import('./metrics.ts')).openMetrics(hub, driver, siblings)
    : undefined;
  let draining = false;
  const parts = { hub, metrics, isDraining: () => draining };
  const listener =
    metricsPort === undefined
      ? undefined
      : await listenForOperator(parts, entrance, { host: hub.settings.host, port: metricsPort });
  const admin = openAdmin({ hub, driver, alerts, limits });
  const paths = new Map([
    ...operatorPaths(parts),
    ...(admin ? [[ADMIN_PATH, admin] as const] : []),
  ]);
  return {
    app: { operatorPaths: paths, ...(metrics && { observe: metrics.observe }) },
    drain: () => void (draining = true),
    close: () => void listener?.close(),
  };
}
