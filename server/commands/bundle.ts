import { writeFile } from 'node:fs/promises';
import { arch, availableParallelism, freemem, platform, release, totalmem } from 'node:os';
import { condition } from '../../db/operator/condition.ts';
import { readSnapshot } from '../../db/wallet/snapshot.ts';
import { service } from '../../generated/doors.ts';
import { readSettings } from '../boot/config.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { SECRETS } from '../boot/secretFiles.ts';
import { databaseExists, type Command, type Environment } from './command.ts';
import { diagnose } from './doctor.ts';
import { newestFaults } from './explain/logLines.ts';

const FAULTS_MAX = 200;
const ASK_MS_MAX = 5_000;
const OWNER_ONLY = { mode: 0o600, flag: 'wx' } as const;

/** `hubctl bundle FILE`: all that a question about a hub needs, in one file without secrets. */
export const bundle: Command = async ([file, option, log, ...more], env, print) => {
  const isGiven = option === undefined || (option === '--log' && log !== undefined);
  if (file === undefined || !isGiven || more.length > 0) return undefined;
  const settings = settingsOf(env);
  const whole = {
    madeAt: new Date().toISOString(),
    version: service.version,
    machine: {
      node: process.version,
      system: `${platform()} ${release()} ${arch()}`,
      cores: availableParallelism(),
      memoryBytes: totalmem(),
      freeBytes: freemem(),
    },
    settings: shown(env),
    doctor: await diagnose(env),
    database: settings && (await attempt(() => databaseOf(settings, print))),
    ready: settings && (await attempt(() => ask(settings, '/readyz'))),
    state: settings && (await attempt(() => ask(settings, '/healthz'))),
    metrics: settings && (await attempt(() => ask(settings, '/metrics'))),
    faults:
      log === undefined ? 'no log was given' : await attempt(() => newestFaults(log, FAULTS_MAX)),
  };
  await writeFile(file, `${JSON.stringify(whole, undefined, 2)}\n`, OWNER_ONLY);
  print(`${file}: read it before it leaves this machine. It has no secret and nothing that an account
stored. The doctor names folders of this machine, and stacks of errors are as they were logged.\n`);
  return 0;
};

/** Undefined when they cannot be read; the doctor then says why. */
function settingsOf(env: Environment): Settings | undefined {
  try {
    return readSettings(env);
  } catch {
    return undefined;
  }
}

/** A part that cannot be had is the reason why: the others are needed all the more then. */
async function attempt<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    return `not available: ${String(error)}`;
  }
}

const NAMES = /^(?:HUB_|X402_|FAUCET_)/;
const PLAIN = /^(?:true|false|auto|\d+|[a-z][a-z-]{0,15})$/;

/** Words and numbers as they are, addresses without what stands behind the host, and nothing else. */
function shown(env: Environment): Readonly<Record<string, string>> {
  const secret = new Set<string>(SECRETS);
  const names = Object.keys(env).filter((name) => NAMES.test(name));
  return Object.fromEntries(
    names.sort().map((name) => [name, secret.has(name) ? '(set)' : plain(env[name] ?? '')]),
  );
}

function plain(value: string): string {
  if (PLAIN.test(value)) return value;
  const origins = value.split(',').map((each) => (URL.canParse(each) ? new URL(each) : undefined));
  return origins.every((url) => url !== undefined && /^https?:$/.test(url.protocol))
    ? origins.map((url) => url?.origin).join(',')
    : '(set)';
}

async function databaseOf({ databaseUrl }: Settings, print: (text: string) => void) {
  if (!databaseExists(databaseUrl, print)) return 'there is none';
  return readSnapshot(databaseUrl, condition);
}

/** Asks the process that listens on this machine. */
async function ask(settings: Settings, path: string): Promise<unknown> {
  const { host, port, metricsPort, metricsToken, tls } = settings;
  const isMetrics = path === '/metrics';
  if (isMetrics && metricsPort === undefined && metricsToken === undefined) return 'off';
  const isOwn = isMetrics && metricsPort !== undefined;
  const near = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const scheme = tls === undefined || isOwn ? 'http' : 'https';
  const answer = await fetch(`${scheme}://${near}:${isOwn ? metricsPort : port}${path}`, {
    headers: {
      accept: 'application/json, text/plain',
      ...(isMetrics && metricsToken !== undefined && { authorization: `Bearer ${metricsToken}` }),
    },
    signal: AbortSignal.timeout(ASK_MS_MAX),
  });
  const text = (await answer.text()).trimEnd();
  return { status: answer.status, lines: text.split('\n') };
}
