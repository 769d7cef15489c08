import { parseKeyId, type KeyId } from '../account.ts';
import { isObject, listOf } from '../jsonObject.ts';

/** Where a key is published as a proof. Only a whole key counts, not a text that begins with it. */
export const PROOF_METHODS = ['dns', 'well-known'] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** Whether a listing is held by the proof of its domain; a text at its endpoint is none. */
export function isByDomain(proof: unknown): boolean {
  return PROOF_METHODS.some((method) => method === proof);
}

/** More keys than this in one place are never intended. */
const KEYS_MAX = 20;
const TOKEN = /(?<![A-Za-z0-9_-])hub-key=([1-9A-HJ-NP-Za-km-z]{32,44})(?![A-Za-z0-9])/g;
/** The label belongs to Agent Identity & Discovery as well, whose records stand beside ours. */
const AID_RECORD = /^\s*v=aid/i;

/** The name of the TXT record, for a host without a port; an address has none. */
export function recordName(hostname: string): string {
  return `_agent.${hostname}`;
}

export function documentUrl(origin: string): string {
  return `${origin}/.well-known/hub.json`;
}

/** In a TXT record, an agent card or the instructions of an MCP server. */
export function keyToken(key: string): string {
  return `hub-key=${key}`;
}

export function keyDocument(key: string): string {
  return JSON.stringify({ key });
}

/** An origin's domain proofs for a key; either is enough, and an address has no records. */
export function domainProofs(
  origin: string,
  key: string,
): readonly { readonly method: ProofMethod; readonly where: string; readonly value: string }[] {
  const { hostname } = new URL(origin);
  const record = { method: 'dns', where: recordName(hostname), value: keyToken(key) } as const;
  return [
    ...(hasRecords(hostname) ? [record] : []),
    { method: 'well-known', where: documentUrl(origin), value: keyDocument(key) },
  ];
}

/** An IP address, or a name without a domain, has no record that could prove it. */
export function hasRecords(hostname: string): boolean {
  return /[^\d.]/.test(hostname) && !hostname.startsWith('[') && hostname.includes('.');
}

export function keysInText(text: string): readonly KeyId[] {
  return distinct([...text.matchAll(TOKEN)].map(([, key]) => key));
}

/** Keys that the TXT records of a name carry: as a token of their text, or as the whole of it. */
export function keysInRecords(records: readonly string[]): readonly KeyId[] {
  const ours = records.filter((record) => !AID_RECORD.test(record));
  return distinct(ours.flatMap((record) => [record.trim(), ...keysInText(record)]));
}

/** The key of the document at the well-known address; undefined when it is no such document. */
export function keyInDocument(document: unknown): KeyId | undefined {
  const key = isObject(document) ? document['key'] : undefined;
  return typeof key === 'string' ? parseKeyId(key) : undefined;
}

const STRINGS_MAX = 20_000;

/** Every string in a JSON value, whatever member it stands in; the names of members are none. */
export function stringsIn(value: unknown): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.length >= STRINGS_MAX) break;
    if (typeof next === 'string') found.push(next);
    const inner = isObject(next) ? Object.values(next) : listOf(next);
    // One by one: an untrusted list may have more members than a call may have arguments.
    for (const each of inner) open.push(each);
  }
  return found;
}

function distinct(texts: readonly (string | undefined)[]): readonly KeyId[] {
  const keys = texts.flatMap((text) => (text === undefined ? [] : (parseKeyId(text) ?? [])));
  return [...new Set(keys)].slice(0, KEYS_MAX);
}
