import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Offer } from '../../domain/models/offer.ts';
import { readVerifierKey, WITNESS_KEY, type VerifierKey } from '../../domain/log/note.ts';
import { isSound } from '../../domain/log/signing.ts';
import { readUpstreams } from '../../domain/models/upstreams.ts';
import { parseNetworkId } from '../../domain/network.ts';
import {
  HOST_ALLOW_LIST_MAX,
  parseHostAllowList,
  type HostAllowList,
} from '../../domain/outbound/hostAllowList.ts';
import { CHAIN_NAMES, chainSettings } from './chainConfig.ts';
import { DATABASE_NAMES, databaseSettings } from './databaseConfig.ts';
import type { Settings } from '../../workflows/kernel/settings.ts';
import { parseTrustedProxies, type TrustedProxies } from '../../workflows/kernel/trustedProxies.ts';
import { SEARCH_NAMES, searchSettings } from './searchConfig.ts';
import { withSecretFiles } from './secretFiles.ts';
import { X402_NAMES, x402Settings } from './x402Config.ts';
import { wholeNumber } from './wholeNumber.ts';
import { WORKERS_MAX } from '../workers/count.ts';

/** Loads what few hubs need, when it is needed. */
const load = createRequire(import.meta.url);

/** The only reader of the environment. Every name is in the table of docs/settings.md. */
const NAMES = [
  'HUB_HOST',
  'HUB_PORT',
  'HUB_BASE_URL',
  ...DATABASE_NAMES,
  'HUB_DATA_DIR',
  'HUB_DISK_LOW_MB',
  'HUB_NETWORK',
  'HUB_LOG',
  'HUB_ACCESS_LOG',
  'HUB_TRACE_BATCH',
  'HUB_RATE_LIMITS',
  'HUB_CHECK_ANSWERS',
  'HUB_ALLOW_PRIVATE_HOSTS',
  'HUB_CRAWL_FEEDS',
  'HUB_TRUSTED_PROXIES',
  'HUB_TLS_CERT',
  'HUB_TLS_KEY',
  'HUB_SANDBOX_AGENTS',
  'HUB_TEST_WORLDS',
  'HUB_WORKERS',
  'HUB_MEMORY_CACHE_MB',
  'HUB_MODEL_UPSTREAMS',
  ...SEARCH_NAMES,
  'HUB_FILES_S3_BUCKET',
  'HUB_FILES_S3_REGION',
  'HUB_FILES_S3_ENDPOINT',
  'HUB_FILES_S3_PREFIX',
  'HUB_FILES_S3_ACCESS_KEY_ID',
  'HUB_FILES_S3_SECRET_ACCESS_KEY',
  'HUB_METRICS_PORT',
  'HUB_METRICS_TOKEN',
  'HUB_ADMIN_TOKEN',
  'HUB_TRACES_URL',
  'HUB_TRACES_PERCENT',
  'HUB_DRAIN_SECONDS',
  'HUB_LOG_WITNESSES',
  ...CHAIN_NAMES,
  ...X402_NAMES,
] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Returns settings with more `host:port` pairs that the hub may call although they are private. */
export function allowHosts(settings: Settings, pairs: readonly string[]): Settings {
  return { ...settings, allowPrivateHosts: new Set([...settings.allowPrivateHosts, ...pairs]) };
}

/** Throws an Error whose text names the variable and the accepted form. */
export function readSettings(given: Readonly<Record<string, string | undefined>>): Settings {
  const env = withSecretFiles(given);
  const strange = Object.keys(env).filter(
    (name) => name.startsWith('HUB_') && !NAMES.some((known) => known === name),
  );
  if (strange.length > 0) {
    throw new Error(`unknown setting ${strange.join(', ')}; known: ${NAMES.join(', ')}`);
  }
  const host = env['HUB_HOST'] ?? '127.0.0.1';
  const port = wholeNumber(env, 'HUB_PORT', { ...ANY_PORT, usual: 4_020 });
  const dataDir = env['HUB_DATA_DIR'] || './data';
  const network = parseNetworkId(env['HUB_NETWORK'] ?? 'sandbox');
  if (network === undefined) throw new Error('HUB_NETWORK is sandbox, base or play');
  const logLevel = env['HUB_LOG'] ?? 'info';
  if (!LOG_LEVELS.includes(logLevel)) throw new Error(`HUB_LOG is one of ${LOG_LEVELS.join(', ')}`);
  const models = upstreams(env);
  const tls = tlsFiles(env['HUB_TLS_CERT'] || undefined, env['HUB_TLS_KEY'] || undefined);
  return {
    host,
    port,
    ...tls,
    trustedProxies: trustedProxies(env['HUB_TRUSTED_PROXIES'] ?? ''),
    baseUrl: baseUrl(
      'HUB_BASE_URL',
      env['HUB_BASE_URL'] ?? `${tls.tls === undefined ? 'http' : 'https'}://${host}:${port}`,
    ),
    ...databaseSettings(env, dataDir),
    dataDir,
    diskLowBytes: wholeNumber(env, 'HUB_DISK_LOW_MB', DISK_LOW_MB) * 1_048_576,
    network,
    faucetEnabled: flag('FAUCET_ENABLED', env['FAUCET_ENABLED'], false),
    logLevel,
    accessLog: flag('HUB_ACCESS_LOG', env['HUB_ACCESS_LOG'], true),
    traceBatches: flag('HUB_TRACE_BATCH', env['HUB_TRACE_BATCH'], false),
    rateLimits: flag('HUB_RATE_LIMITS', env['HUB_RATE_LIMITS'], true),
    checkAnswers: flag('HUB_CHECK_ANSWERS', env['HUB_CHECK_ANSWERS'], false),
    sandboxAgents: flag('HUB_SANDBOX_AGENTS', env['HUB_SANDBOX_AGENTS'], false),
    worldsMax: wholeNumber(env, 'HUB_TEST_WORLDS', { least: 0, most: 100, usual: 0 }),
    crawlFeeds: crawlFeeds(env['HUB_CRAWL_FEEDS'] ?? ''),
    allowPrivateHosts: openedPairs(env['HUB_ALLOW_PRIVATE_HOSTS'] ?? ''),
    memoryCacheBytes: wholeNumber(env, 'HUB_MEMORY_CACHE_MB', CACHE_MB) * 1_048_576,
    models,
    ...searchSettings(env, models),
    ...workersSetting(env),
    drainMs: wholeNumber(env, 'HUB_DRAIN_SECONDS', { least: 0, most: 600, usual: 5 }) * 1_000,
    logWitnesses: witnesses(env['HUB_LOG_WITNESSES'] ?? ''),
    ...metricsSettings(env),
    ...traceSettings(env),
    ...s3Settings(env),
    ...chainSettings(env),
    ...x402Settings(env),
  };
}

function workersSetting(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Partial<Settings>, 'workers'> {
  const text = env['HUB_WORKERS'] ?? '';
  if (text === '') return {};
  if (text === 'auto') return { workers: text };
  return { workers: wholeNumber(env, 'HUB_WORKERS', { least: 1, most: WORKERS_MAX, usual: 1 }) };
}

function tlsFiles(
  cert: string | undefined,
  key: string | undefined,
): Pick<Partial<Settings>, 'tls'> {
  if ((cert === undefined) !== (key === undefined)) {
    throw new Error('HUB_TLS_CERT and HUB_TLS_KEY go together: two files in PEM');
  }
  return cert !== undefined && key !== undefined ? { tls: { cert, key } } : {};
}

/** The default: every caller is who the socket says. */
const NO_PROXIES = parseTrustedProxies('');

function trustedProxies(text: string): TrustedProxies {
  const proxies = text === '' ? NO_PROXIES : parseTrustedProxies(text);
  if (proxies !== undefined) return proxies;
  throw new Error(
    'HUB_TRUSTED_PROXIES is a list of addresses or ranges with commas between: 127.0.0.1,10.0.0.0/8,fd00::/8',
  );
}

function crawlFeeds(text: string): readonly string[] {
  const urls = text.split(',').flatMap((each) => each.trim() || []);
  for (const url of urls) {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      throw new Error(
        'HUB_CRAWL_FEEDS has addresses of lists, such as https://registry.example/v0.1/servers',
      );
    }
  }
  return urls.map((url) => new URL(url).toString());
}

function witnesses(text: string): readonly VerifierKey[] {
  const keys = text.split(',').flatMap((each) => each.trim() || []);
  const read = keys.flatMap((key) => readVerifierKey(key) ?? []);
  const isUsable = read.length === keys.length && keys.length <= WITNESSES_MAX;
  const names = new Set(read.map(({ name }) => name));
  if (isUsable && names.size === keys.length && read.every(isWitness)) return read;
  throw new Error(
    `HUB_LOG_WITNESSES is a list of at most ${WITNESSES_MAX} keys with commas between, each of another name, as "hubctl witness" prints them`,
  );
}

function isWitness(key: VerifierKey): boolean {
  return key.type === WITNESS_KEY && isSound(key);
}

const WITNESSES_MAX = 16;

/** JSON is YAML too, so one reader serves both. */
function upstreams(env: Readonly<Record<string, string | undefined>>): readonly Offer[] {
  const path = env['HUB_MODEL_UPSTREAMS'];
  if (path === undefined || path === '') return [];
  try {
    const { parse } = load('yaml') as typeof Yaml;
    return readUpstreams(parse(readFileSync(path, 'utf8')), (variable) => env[variable]);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it cannot be read';
    throw new Error(`HUB_MODEL_UPSTREAMS, ${path}: ${why}`, { cause: error });
  }
}

function metricsSettings(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Settings, 'metricsPort' | 'metricsToken' | 'adminToken'> {
  const port = env['HUB_METRICS_PORT'] ?? '';
  const token = tokenOf('HUB_METRICS_TOKEN', env);
  const admin = tokenOf('HUB_ADMIN_TOKEN', env);
  return {
    ...(admin !== '' && { adminToken: admin }),
    ...(port !== '' && { metricsPort: wholeNumber(env, 'HUB_METRICS_PORT', ANY_PORT) }),
    ...(token !== '' && { metricsToken: token }),
  };
}

function tokenOf(name: string, env: Readonly<Record<string, string | undefined>>): string {
  const token = env[name] ?? '';
  if (token === '' || token.length >= TOKEN_LENGTH_MIN) return token;
  throw new Error(`${name} has at least ${TOKEN_LENGTH_MIN} characters`);
}

function traceSettings(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Settings, 'traces'> {
  const url = env['HUB_TRACES_URL'] ?? '';
  if (url === '') return {};
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw new Error('HUB_TRACES_URL is an address such as http://127.0.0.1:4318/v1/traces');
  }
  const percent = wholeNumber(env, 'HUB_TRACES_PERCENT', { least: 0, most: 100, usual: 100 });
  return { traces: { url, ratio: percent / 100 } };
}

/** A guess at a shorter one might succeed. */
const TOKEN_LENGTH_MIN = 20;

/** One WebAssembly memory holds all of it, and that has 4 GB. */
const CACHE_MB = { least: 0, most: 3_072, usual: 256 };

const DISK_LOW_MB = { least: 100, most: 10_000_000, usual: 2_048 };

/** Port 0 is a free one. */
const ANY_PORT = { least: 0, most: 65_535, usual: 0 };

function s3Settings(
  env: Readonly<Record<string, string | undefined>>,
): Pick<Partial<Settings>, 'filesS3'> {
  const of = (name: string): string | undefined => env[`HUB_FILES_S3_${name}`] || undefined;
  const bucket = of('BUCKET');
  if (bucket === undefined) return {};
  const [accessKeyId, secretAccessKey] = [of('ACCESS_KEY_ID'), of('SECRET_ACCESS_KEY')];
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    throw new Error('HUB_FILES_S3_ACCESS_KEY_ID and HUB_FILES_S3_SECRET_ACCESS_KEY go together');
  }
  const endpoint = of('ENDPOINT');
  return {
    filesS3: {
      bucket,
      region: of('REGION') ?? 'us-east-1',
      prefix: of('PREFIX') ?? '',
      ...(endpoint !== undefined && { endpoint: baseUrl('HUB_FILES_S3_ENDPOINT', endpoint) }),
      ...(accessKeyId !== undefined &&
        secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    },
  };
}

function flag(name: string, text: string | undefined, absent: boolean): boolean {
  if (text === undefined) return absent;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0' || text === '') return false;
  throw new Error(`${name} is true or false`);
}

function openedPairs(text: string): HostAllowList {
  const pairs = parseHostAllowList(text);
  if (pairs !== undefined) return pairs;
  throw new Error(
    `HUB_ALLOW_PRIVATE_HOSTS is a list of at most ${HOST_ALLOW_LIST_MAX} host:port pairs with commas between, hosts in plain notation: agents.lan:8080,127.0.0.1:4030,[::1]:4030`,
  );
}

function baseUrl(name: string, text: string): string {
  if (!/^https?:\/\/[^\s?#"'<>\\]+$/.test(text) || !URL.canParse(text)) {
    throw new Error(`${name} is an http or https address, such as https://hub.example`);
  }
  return text.replace(/\/+$/, '');
}
