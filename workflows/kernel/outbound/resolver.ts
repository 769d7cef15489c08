import { lookup, Resolver as NameServers } from 'node:dns/promises';
import { addressKind, mayConnect } from '../../../domain/outbound/address.ts';
import { addressMessage, type Target } from '../../../domain/outbound/target.ts';
import { unlessStopped, type RequestContext } from './requestContext.ts';
import { failed, type Failed } from './outcome.ts';

/** Turns names into addresses. Both ways reject with an Error when there are none. */
export interface Resolver {
  /** Resolves a name from an untrusted source: asks name servers alone. */
  untrusted(host: string): Promise<readonly string[]>;
  /** A name that the operator opened: the machine's own table counts too. */
  trusted(host: string): Promise<readonly string[]>;
  /** TXT records of a name, each with its strings joined; name servers alone are asked. */
  texts(name: string): Promise<readonly string[]>;
}

/** Milliseconds for one question to the name servers, and how often it is asked. */
const QUESTION_MS_MAX = 2_000;
const TRIES_MAX = 2;
/** More records than this are an attack, or a mistake. */
const RECORDS_MAX = 64;

/**
 * Untrusted names never go through getaddrinfo, whose few threads the database shares: four slow
 * name servers would stop the ledger. `servers` (`address:port`) replace the machine's.
 */
export function systemResolver(servers?: readonly string[]): Resolver {
  const nameServers = new NameServers({ timeout: QUESTION_MS_MAX, tries: TRIES_MAX });
  if (servers !== undefined) nameServers.setServers(servers);
  return {
    async untrusted(host) {
      const asked = await Promise.allSettled([
        nameServers.resolve4(host),
        nameServers.resolve6(host),
      ]);
      const found = asked.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      if (found.length > 0) return found;
      const slow = asked.find((each) => each.status === 'rejected' && !isNoRecord(each.reason));
      if (slow?.status === 'rejected') throw slow.reason;
      return [];
    },
    async trusted(host) {
      return (await lookup(host, { all: true })).map(({ address }) => address);
    },
    async texts(name) {
      return (await nameServers.resolveTxt(name)).map((strings) => strings.join(''));
    },
  };
}

/**
 * The addresses of a target, every one of them allowed: one that is not refuses the name, because a
 * name that mixes public and private addresses was made to be asked twice.
 */
export async function resolveTarget(
  target: Target,
  resolver: Resolver,
  context: RequestContext,
): Promise<readonly string[] | Failed> {
  const { host, opened } = target;
  if (target.isAddress) return [host];
  const asking = opened ? resolver.trusted(host) : resolver.untrusted(host);
  let found: readonly string[] | undefined;
  try {
    found = await unlessStopped(context, asking);
  } catch (error) {
    const message = isNoRecord(error)
      ? `${host} has no address.`
      : `The name servers of ${host} did not answer the hub.`;
    return failed('dns', message);
  }
  if (found === undefined) return context.why();
  if (found.length === 0) return failed('dns', `${host} has no address.`);
  if (found.length > RECORDS_MAX) {
    return failed('dns', `${host} has more than ${RECORDS_MAX} addresses.`);
  }
  const kinds = found.map(addressKind);
  const wrong = kinds.findIndex((kind) => !mayConnect(kind, opened));
  if (wrong !== -1) return failed('refused-address', addressMessage(host, kinds[wrong]));
  return [...new Set(found)];
}

export interface Texts {
  readonly kind: 'texts';
  readonly texts: readonly string[];
}

export async function resolveTexts(
  name: string,
  resolver: Resolver,
  context: RequestContext,
): Promise<Texts | Failed> {
  try {
    const texts = await unlessStopped(context, resolver.texts(name));
    return texts === undefined
      ? context.why()
      : { kind: 'texts', texts: texts.slice(0, RECORDS_MAX) };
  } catch (error) {
    if (isNoRecord(error)) return { kind: 'texts', texts: [] };
    return failed('dns', `The name servers of ${name} did not answer the hub.`);
  }
}

function isNoRecord(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
