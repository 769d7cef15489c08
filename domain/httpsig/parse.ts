import {
  isInnerList,
  parseDictionary,
  serializeInnerList,
  type InnerList,
} from 'structured-headers';
import { isKnownComponent, SIGNATURE_ALGORITHM } from './base.ts';
import { rawDictionary } from './dictionary.ts';
import { judgeKey } from './keys.ts';
import { HTTPSIG_LIMITS } from './limits.ts';
import { fieldValue, type Fields } from './message.ts';
import { refusal, type Refusal } from './refusal.ts';

/**
 * Finds the one signature that speaks for the caller (RFC 9421 4, threats.replay). What is read
 * is written again and must come out as it went in, so nothing a lenient parser drops (a repeated
 * parameter, a second spelling of a number, a spare bit) can differ between signer and verifier.
 */
export interface ParsedSignature {
  readonly label: string;
  readonly covered: readonly string[];
  readonly createdSeconds: number;
  readonly expiresSeconds: number | undefined;
  readonly keyIdText: string;
  readonly algorithm: string;
  readonly nonce: string;
  /** The inner list with its parameters as received: the value of `@signature-params`. */
  readonly params: string;
  readonly signature: Uint8Array;
}

export type FoundSignature =
  | { readonly kind: 'none'; readonly detail: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'found'; readonly signature: ParsedSignature };

/** 64 bytes in base64 with both pads; the last letter leaves its four spare bits at zero. */
const SIGNATURE_GRAMMAR = /^:([A-Za-z0-9+/]{85}[AQgw]==):$/;

export function findSignature(fields: Fields): FoundSignature {
  const inputText = fieldValue(fields, 'signature-input');
  const signatureText = fieldValue(fields, 'signature');
  if (inputText === undefined && signatureText === undefined) {
    return { kind: 'none', detail: 'the request has no Signature-Input and no Signature header' };
  }
  if (inputText === undefined) return malformed('the Signature-Input header is missing');
  if (signatureText === undefined) return malformed('the Signature header is missing');
  const inputs = rawDictionary('Signature-Input', inputText);
  if (!inputs.ok) return malformed(inputs.why);
  const signatures = rawDictionary('Signature', signatureText);
  if (!signatures.ok) return malformed(signatures.why);
  for (const label of new Set([...inputs.members.keys(), ...signatures.members.keys()])) {
    const missing = !inputs.members.has(label) ? 'Signature-Input' : 'Signature';
    if (inputs.members.has(label) && signatures.members.has(label)) continue;
    return malformed(`the label ${label} is missing from ${missing}`);
  }
  return choose(inputText, inputs.members, signatures.members);
}

type Members = ReadonlyMap<string, string>;

/**
 * A tagged signature belongs to another application (Web Bot Auth, say) and stands aside. Of the
 * rest exactly one may fit: authority must come from the very signature that is verified.
 */
function choose(inputText: string, inputs: Members, signatures: Members): FoundSignature {
  const lists = parseLists(inputText);
  if (lists === undefined) return malformed('Signature-Input is not a well-formed dictionary');
  const ours = [...lists].filter(([, list]) => list === undefined || !list[1].has('tag'));
  if (ours.length === 0) {
    return { kind: 'none', detail: 'every signature carries the tag of another application' };
  }
  const read = ours.map(([label, list]) =>
    readSignature(label, list, inputs.get(label) ?? '', signatures.get(label) ?? ''),
  );
  const only = read[0];
  if (only !== undefined && read.length === 1) return only;
  const fitting = read.filter(fits);
  if (fitting.length > 1) return malformed('more than one signature fits; send one');
  return fitting[0] ?? only ?? malformed('Signature-Input is empty');
}

function fits(found: FoundSignature): boolean {
  if (found.kind !== 'found') return false;
  const { algorithm, keyIdText } = found.signature;
  return algorithm === SIGNATURE_ALGORITHM && judgeKey(keyIdText, true).ok;
}

/** The signatures that are not other applications', as far as they are lists; for a refusal. */
export function listsIn(text: string): readonly InnerList[] | undefined {
  if (text.length > HTTPSIG_LIMITS.headerLengthMax) return undefined;
  const lists = [...(parseLists(text)?.values() ?? [])];
  return lists.filter((list): list is InnerList => list !== undefined && !list[1].has('tag'));
}

/** Inner lists by label; undefined in a list's place when the member is not one. */
function parseLists(text: string): Map<string, InnerList | undefined> | undefined {
  try {
    const lists = new Map<string, InnerList | undefined>();
    for (const [label, member] of parseDictionary(text)) {
      lists.set(label, isInnerList(member) ? member : undefined);
    }
    return lists;
  } catch {
    return undefined;
  }
}

function readSignature(
  label: string,
  list: InnerList | undefined,
  params: string,
  signatureText: string,
): FoundSignature {
  if (list === undefined) return malformed(`${label} in Signature-Input is not a list`);
  const covered = readCovered(list);
  if (typeof covered === 'string') return malformed(covered);
  const given = readParameters(list[1]);
  if (typeof given === 'string') return malformed(given);
  if (serializeInnerList(list) !== params) {
    return malformed(`${label} in Signature-Input repeats a parameter or is not in canonical form`);
  }
  const encoded = SIGNATURE_GRAMMAR.exec(signatureText)?.[1];
  if (encoded === undefined) {
    return malformed(`${label} in Signature is not the base64 of 64 bytes between colons`);
  }
  return {
    kind: 'found',
    signature: {
      label,
      covered,
      createdSeconds: given.createdSeconds,
      expiresSeconds: given.expiresSeconds,
      keyIdText: given.keyIdText,
      algorithm: given.algorithm,
      nonce: given.nonce,
      params,
      signature: Buffer.from(encoded, 'base64'),
    },
  };
}

/** The component names, or what is wrong with them. */
function readCovered([items]: InnerList): readonly string[] | string {
  if (items.length > HTTPSIG_LIMITS.componentsMax) {
    return `more than ${HTTPSIG_LIMITS.componentsMax} components are covered`;
  }
  const covered: string[] = [];
  for (const [name, parameters] of items) {
    if (typeof name !== 'string') return 'a covered component is not a string';
    if (parameters.size > 0) return `component parameters are not supported, see "${name}"`;
    if (!isKnownComponent(name)) return `"${name}" is not a component the hub can compute`;
    if (covered.includes(name)) return `the component "${name}" is covered twice`;
    covered.push(name);
  }
  return covered;
}

type Given = Pick<
  ParsedSignature,
  'createdSeconds' | 'expiresSeconds' | 'keyIdText' | 'algorithm' | 'nonce'
>;

/** The parameters of Authentication 4, or what is wrong with them. */
function readParameters(parameters: InnerList[1]): Given | string {
  const [created, expires] = [parameters.get('created'), parameters.get('expires')];
  if (created === undefined) return 'the parameter created is missing';
  if (!isUnixTime(created)) return 'the parameter created is not a whole number of seconds';
  if (expires !== undefined && !isUnixTime(expires)) {
    return 'the parameter expires is not a whole number of seconds';
  }
  const texts: Record<'keyid' | 'alg' | 'nonce', string> = { keyid: '', alg: '', nonce: '' };
  for (const name of ['keyid', 'alg', 'nonce'] as const) {
    const value = parameters.get(name);
    if (value === undefined) return `the parameter ${name} is missing`;
    if (typeof value !== 'string') return `the parameter ${name} is not a quoted string`;
    texts[name] = value;
  }
  const { nonceLengthMin: min, nonceLengthMax: max } = HTTPSIG_LIMITS;
  if (texts.nonce.length < min || texts.nonce.length > max) {
    return `the parameter nonce must have ${min} to ${max} characters`;
  }
  return {
    createdSeconds: created,
    expiresSeconds: expires,
    keyIdText: texts.keyid,
    algorithm: texts.alg,
    nonce: texts.nonce,
  };
}

function isUnixTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function malformed(detail: string): FoundSignature {
  return { kind: 'refused', refusal: refusal('unsigned', detail) };
}
