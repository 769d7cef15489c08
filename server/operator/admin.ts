import { countDecisions } from '../../db/moderation/decisions.ts';
import { newestBackup } from '../../db/operator/backups.ts';
import { beginPause, endPause, readPause } from '../../db/operator/pause.ts';
import { operatorFigures } from '../../db/operator/figures.ts';
import { reportsForOperator } from '../../db/registry/reports.ts';
import { doorSpec, type Door } from '../doors/transport.ts';
import { refuse } from '../../workflows/kernel/errors.ts';
import type { Hub } from '../../workflows/kernel/hub.ts';
import type { Driver } from '../jobs/driver.ts';
import type { Limits } from '../http/limits.ts';
import type { OpenedLog } from '../boot/log.ts';
import { readBody } from '../middleware/body.ts';
import { mustMayGuess } from '../middleware/rateLimit.ts';
import type { Answer, Exchange } from '../middleware/exchange.ts';
import { adminPage, ADMIN_HEADERS } from './adminPage.ts';
import { isSameSecret } from './endpoints.ts';
import { head } from '../../domain/text.ts';

export const ADMIN_PATH = '/admin';
const REPORTS_MAX = 20;
const REASON_LENGTH_MAX = 300;

interface AdminParts {
  readonly hub: Hub;
  readonly driver: Driver;
  readonly alerts: OpenedLog['alerts'];
  readonly limits: Limits;
}

/** The operator's page (choices operator.admin); undefined when no token opens it. */
export function openAdmin({ hub, driver, alerts, limits }: AdminParts): Door | undefined {
  const { adminToken, baseUrl } = hub.settings;
  if (adminToken === undefined) return undefined;
  const own = new URL(baseUrl).origin;
  const spec = doorSpec('admin', ADMIN_PATH, 'The page of the operator');

  const shown = async (): Promise<Answer> => {
    const now = hub.clock.now();
    const seen = await hub.store.read(async (db) => ({
      pause: await readPause(db),
      backedUpAt: await newestBackup(db),
      figures: await operatorFigures(db, now),
      reports: await reportsForOperator(db, REPORTS_MAX),
      decisions: await countDecisions(db),
    }));
    const process = { jobs: driver.report(), alerts: alerts(), frozen: hub.store.frozenSince() };
    return { status: 200, headers: ADMIN_HEADERS, body: adminPage({ ...seen, ...process, now }) };
  };
  const changed = async (exchange: Exchange): Promise<Answer> => {
    await readBody({ exchange, spec });
    const form = new URLSearchParams(Buffer.from(exchange.rawBody).toString());
    const reason = head((form.get('reason') ?? '').trim(), REASON_LENGTH_MAX);
    const action = form.get('action');
    if (action !== 'thaw' && (action !== 'freeze' || reason === '')) {
      const error = 'The form has `action`, freeze or thaw, and a `reason` to freeze.';
      return refuse('bad-request', {
        error,
        field: action === 'freeze' ? 'body.reason' : 'body.action',
      });
    }
    const since = hub.clock.now();
    await hub.store.write((tx) =>
      action === 'freeze' ? beginPause(tx, { since, reason }) : endPause(tx),
    );
    hub.log.warn({ action, reason }, 'the operator changed the freeze');
    return { status: 303, headers: { ...ADMIN_HEADERS, location: ADMIN_PATH } };
  };
  return async (exchange) => {
    exchange.operation = ADMIN_PATH;
    const { requestId, method, address } = exchange;
    mustMayGuess(exchange, limits);
    const { authorization } = exchange.request.headers;
    if (!isOperator(authorization, adminToken)) {
      // A browser asks once without a password, and then its user for one.
      if (authorization !== undefined) {
        limits.spend('admin', address, 1);
        hub.log.warn({ requestId }, 'a wrong password at /admin');
      }
      return NEEDS_TOKEN;
    }
    hub.log.info({ requestId, method }, 'the operator uses /admin');
    if (exchange.method === 'GET' || exchange.method === 'HEAD') return shown();
    if (exchange.method !== 'POST') {
      const error = `${exchange.method} is not a method of ${ADMIN_PATH}.`;
      return refuse(
        'method-not-allowed',
        { error, allowed: ['GET', 'POST'] },
        { allow: 'GET, POST' },
      );
    }
    // A browser sends the password along with forms of any page that it is led to.
    if ((exchange.request.headers.origin ?? own) !== own) {
      return refuse('bad-request', {
        error: 'Only the page /admin of this hub may send its form.',
        hint: 'Open /admin at the address of the hub, and send the form again from there.',
        field: 'header.origin',
      });
    }
    return changed(exchange);
  };
}

const NEEDS_TOKEN: Answer = {
  status: 401,
  headers: {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'www-authenticate': 'Basic realm="hub admin", charset="UTF-8"',
  },
  body: 'Send HUB_ADMIN_TOKEN as a bearer token, or as the password in a browser.\n',
};

function isOperator(authorization: string | undefined, token: string): boolean {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) (.+)$/.exec(authorization ?? '') ?? [];
  const given = scheme === 'Basic' ? Buffer.from(value, 'base64').toString() : value;
  // The user's name of HTTP Basic means nothing here.
  return isSameSecret(scheme === 'Basic' ? given.slice(given.indexOf(':') + 1) : given, token);
}
