import { addressKind, mayConnect, type AddressKind } from './address.ts';
import { hostPair, type HostAllowList } from './hostAllowList.ts';

/**
 * Where a request may go, judged from the URL alone, in a strict form before the WHATWG parser:
 * that mends `http:/0x7f.1`, full-width digits or `\`, which another reader mends differently.
 */
export interface Target {
  readonly scheme: 'http' | 'https';
  /** Lower case; an IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
  /** `host[:port]` without the default port, as Host and `@authority` have it. */
  readonly authority: string;
  readonly origin: string;
  readonly path: string;
  /** Without its `?`; undefined when there is none, or nothing behind it. */
  readonly query: string | undefined;
  readonly pathAndQuery: string;
  /** Without a fragment. */
  readonly url: string;
  readonly isAddress: boolean;
  /** The operator named this host and port (HUB_ALLOW_PRIVATE_HOSTS). */
  readonly opened: boolean;
}

interface TargetRefusal {
  readonly reason: 'refused-url' | 'refused-address';
  readonly message: string;
}

export type TargetVerdict =
  { readonly ok: true; readonly target: Target } | ({ readonly ok: false } & TargetRefusal);

export interface TargetPolicy {
  readonly opened: HostAllowList;
  /** Whether plain http may be spoken with a host that is not opened. */
  readonly plainHttp: boolean;
}

const URL_LENGTH_MAX = 4_096;
const HOST_LENGTH_MAX = 253;
const LABEL_LENGTH_MAX = 63;
const URL_GRAMMAR = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)(?:[/?#]|$)/;
const AUTHORITY_GRAMMAR = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?$/;
const LABEL_GRAMMAR = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/;
/** Names for local use (RFC 6761, 6762, 7686, 8375, 9476, ICANN), and two that routers hand out. */
const LOCAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'lan',
  'internal',
  'home.arpa',
  'onion',
  'invalid',
  'test',
  'example',
  'alt',
];
/** Below 1024 only the web's own; above, what speaks another protocol stays out of reach. */
const LOW_PORTS = [80, 443];
const LOW_PORT_MAX = 1023;
const OTHER_PROTOCOLS: ReadonlySet<number> = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060,
  5061, 5432, 5672, 5900, 5984, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042,
  9200, 9300, 10_080, 10_250, 11_211, 27_017,
]);

/** Judges an absolute URL; what a name resolves to is judged when it is dialled. */
export function judgeTarget(text: string, policy: TargetPolicy): TargetVerdict {
  const url = readUrl(text);
  if (typeof url === 'string') return refuse(url);
  const scheme = url.protocol === 'http:' ? 'http' : 'https';
  const port = url.port === '' ? (scheme === 'http' ? 80 : 443) : Number(url.port);
  const opened = policy.opened.has(hostPair(url.hostname, port));
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const kind = addressKind(host);
  if (kind !== undefined && !mayConnect(kind, opened)) {
    return { ok: false, reason: 'refused-address', message: addressMessage(url.hostname, kind) };
  }
  const wrong = kind === undefined ? nameFault(host, opened) : undefined;
  if (wrong !== undefined) return refuse(wrong);
  if (!opened && !isWebPort(port)) {
    return refuse(`Port ${port} is not one that the hub calls; use 443, or a port above 1023.`);
  }
  if (!opened && scheme === 'http' && !policy.plainHttp) {
    return refuse(`${url.host} must be reached by https; the hub does not call it by plain http.`);
  }
  const pathAndQuery = url.pathname + url.search;
  return {
    ok: true,
    target: {
      scheme,
      host,
      port,
      authority: url.host,
      origin: url.origin,
      path: url.pathname,
      query: url.search === '' ? undefined : url.search.slice(1),
      pathAndQuery,
      url: url.origin + pathAndQuery,
      isAddress: kind !== undefined,
      opened,
    },
  };
}

/** The same sentence for an address that was written and for one that a name led to. */
export function addressMessage(name: string, kind: AddressKind | undefined): string {
  // The address itself stays unsaid: a name of the hub's own network must not reveal its address.
  return `${name} leads to an address that is not public (${kind ?? 'unreadable'}); the hub calls public addresses only.`;
}

function readUrl(text: string): URL | string {
  if (text.length > URL_LENGTH_MAX) return `The URL is longer than ${URL_LENGTH_MAX} characters.`;
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return 'The URL holds spaces, control characters or letters outside ASCII; percent-encode the path and write the host in its xn-- form.';
  }
  if (text.includes('\\')) return 'The URL holds a backslash.';
  const [, scheme = '', authority = ''] = URL_GRAMMAR.exec(text) ?? [];
  if (!/^https?$/i.test(scheme)) return 'The URL does not begin with https:// or http://.';
  if (authority.includes('@')) return 'The URL holds a user name or password.';
  const [, host, port] = AUTHORITY_GRAMMAR.exec(authority) ?? [];
  if (host === undefined) return 'The URL has no host in plain notation.';
  if (host.length > HOST_LENGTH_MAX) {
    return `The host of the URL is longer than ${HOST_LENGTH_MAX} characters.`;
  }
  if (port !== undefined && Number(port) === 0) return 'Port 0 cannot be called.';
  if (!URL.canParse(text)) return 'The URL has no host in plain notation.';
  const url = new URL(text);
  // An IPv6 address has many legal spellings; every other host has one.
  const respelled = !host.startsWith('[') && url.hostname !== host.toLowerCase();
  if (respelled || host.endsWith('.')) {
    return `The host ${host} is not in plain notation; write four decimal numbers or a name without a dot at its end.`;
  }
  return url;
}

function nameFault(host: string, opened: boolean): string | undefined {
  const labels = host.split('.');
  const wellFormed = labels.every(
    (label) => label.length <= LABEL_LENGTH_MAX && LABEL_GRAMMAR.test(label),
  );
  if (!wellFormed) return `${host} is not a host name.`;
  if (opened) return undefined;
  if (labels.length < 2) return `${host} is not a public name; write the whole name.`;
  const local = LOCAL_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
  return local ? `${host} is a name for local use; the hub calls public names only.` : undefined;
}

function isWebPort(port: number): boolean {
  return port > LOW_PORT_MAX ? !OTHER_PROTOCOLS.has(port) : LOW_PORTS.includes(port);
}

function refuse(message: string): TargetVerdict {
  return { ok: false, reason: 'refused-url', message };
}
