import { sha256Hex } from '../../../domain/digest.ts';
import { canonical } from '../../../domain/json.ts';
import { PREFIXES, type Kind } from '../../../domain/time/signedObject.ts';
import { hubKey } from '../../../workflows/kernel/keys/ed25519.ts';
import {
  entriesOf,
  membersOf,
  objectsOf,
  spotsOf,
  valueAt,
  without,
  withValue,
  type Path,
} from './_places.ts';
import {
  attestations,
  blocks,
  chains,
  good,
  kept,
  nows,
  promises,
  proofs,
  pulses,
  seeds,
} from './_vectors.ts';
import type { Named } from './_vectors.ts';

/** Seeded corruptions of the published objects: none of them may be found good. */
export interface Corruption {
  readonly name: string;
  /** The JSON text, since some values differ in their text alone. */
  readonly text: string;
}

const SEED = 'pair 1';
const WRONG = [null, true, false, 0, 1, -1, 1.5, '', 'x', '1', [], {}, [[]]];
/** Numbers that a parser may round, refuse or take for something else. */
const WRONG_TEXTS = [
  '1e400',
  '-1e400',
  '9007199254740993',
  '1e-7',
  '123456789012345678901234567890',
];
const NAMES = ['extra', '', 'a.b', 'é', '__proto__', 'constructor', '\ud800', '\uffff', '😀', 'V'];

let drawn = 0;
/** The next of a series of choices that is the same in every run. */
function draw<T>(from: readonly T[]): T {
  drawn += 1;
  const place = Number.parseInt(sha256Hex(`${SEED} ${drawn}`).slice(0, 12), 16) % from.length;
  const chosen = from[place];
  if (chosen === undefined) throw new RangeError('nothing to choose from');
  return chosen;
}

const reported = ({ name }: Named, what: string, path: Path = []): string =>
  `${name}: ${what}${path.length === 0 ? '' : ` at ${path.join('.')}`}`;
const textOf = (value: unknown): string => JSON.stringify(value);

export function corruptions(): readonly Corruption[] {
  drawn = 0;
  const made = [
    ...good.flatMap(flips),
    ...good.flatMap(wrongTypes),
    ...good.flatMap(missing),
    ...good.flatMap(additional),
    ...[pulses, promises, proofs, nows, blocks, attestations].flatMap(swaps),
    ...[...pulses, ...promises, ...nows].flatMap(otherBytes),
    ...proofs.flatMap(otherPlaces),
    ...chains.flatMap(otherOrder),
    ...otherPromises(),
  ];
  const originals = new Set(good.map(({ value }) => canonical(value)));
  return made.filter(({ text }) => !isOneOf(text, originals));
}

/** One character, digit or truth in turn. */
function flips(named: Named): readonly Corruption[] {
  return spotsOf(named.value).flatMap(({ path, value }) => {
    const flipped = flip(value);
    if (flipped === undefined) return [];
    return [
      { name: reported(named, 'flip', path), text: textOf(withValue(named.value, path, flipped)) },
    ];
  });
}

function flip(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + draw([1, -1, 2 ** 32]);
  if (typeof value !== 'string' || value === '') return undefined;
  const at = draw(Array.from(value, (_, place) => place));
  const other = draw([...'0123456789abcdefABCDEFgz_-+/= \u0660'].filter((c) => c !== value[at]));
  return value.slice(0, at) + other + value.slice(at + 1);
}

function wrongTypes(named: Named): readonly Corruption[] {
  return spotsOf(named.value).flatMap(({ path }) => {
    const put = (text: string): Corruption => ({
      name: reported(named, `${text} instead`, path),
      text: textOf(withValue(named.value, path, '\u0000hole')).replace(textOf('\u0000hole'), text),
    });
    return [put(textOf(draw(WRONG))), put(draw(WRONG_TEXTS))];
  });
}

function missing(named: Named): readonly Corruption[] {
  return spotsOf(named.value).flatMap(({ path }) => {
    // The rest of a chain without its first or last link is a chain.
    const ends = Array.isArray(named.value) && path.length === 1;
    const end = ends && (path[0] === 0 || path[0] === named.value.length - 1);
    if (end) return [];
    return [{ name: reported(named, 'missing', path), text: textOf(without(named.value, path)) }];
  });
}

function additional(named: Named): readonly Corruption[] {
  return objectsOf(named.value).map(({ path }) => {
    const place = [...path, draw(NAMES)];
    const value = withValue(named.value, place, draw(WRONG));
    return { name: reported(named, 'additional', place), text: textOf(value) };
  });
}

/** Each member of one object put into another of its kind. */
function swaps(group: readonly Named[]): readonly Corruption[] {
  return group.flatMap((named) => {
    const other = draw(group.filter((each) => each !== named));
    return spotsOf(named.value).flatMap(({ path }): readonly Corruption[] => {
      const taken = valueAt(other.value, path);
      if (taken === undefined) return [];
      const text = textOf(withValue(named.value, path, taken));
      return [{ name: reported(named, `that of ${other.name}`, path), text }];
    });
  });
}

/** The signed bytes written otherwise, as they are and with a good signature over them. */
function otherBytes(named: Named): readonly Corruption[] {
  const body = valueAt(named.value, ['body']);
  const text = canonical(body);
  const kind = kindOf(named);
  const own = PREFIXES[kind];
  const another = draw(Object.values(PREFIXES).filter((prefix) => prefix !== own));
  const members = [...entriesOf(body)].reverse();
  const written: readonly (readonly [string, Buffer])[] = [
    ['white space', Buffer.from(own + text.replaceAll(',', ', '))],
    ['line feed', Buffer.from(`${own}${text}\n`)],
    ['another order', Buffer.from(own + textOf(Object.fromEntries(members)))],
    ['escapes', Buffer.from(own + text.replace('"keyId"', '"\\u006beyId"'))],
    ['a name twice', Buffer.from(own + text.replace('{', '{"keyId":"x",'))],
    ['another prefix', Buffer.from(another + text)],
    ['no prefix', Buffer.from(text)],
    ['carriage return', Buffer.from(own.replace('\n', '\r\n') + text)],
    ['BOM', Buffer.from(`${own}\ufeff${text}`)],
    ['no UTF-8', Buffer.concat([Buffer.from(own + text), Buffer.of(0xff)])],
    ['UTF-16', Buffer.concat([Buffer.from(own), Buffer.from(text, 'utf16le')])],
    ['a fraction', Buffer.from(own + text.replace(/:([0-9]+)([,}])/, ':$1.0$2'))],
    ['NaN', Buffer.from(own + text.replace('}', ',"zz":NaN}'))],
    ['depth', Buffer.from(own + text.replace(/}$/, `,"zz":${'['.repeat(65)}${']'.repeat(65)}}`))],
    ['nothing', Buffer.from(own)],
    ['a list', Buffer.from(`${own}[${text}]`)],
  ];
  return written.flatMap(([what, bytes]) => {
    const plain = withValue(named.value, ['bytes'], bytes.toString('base64url'));
    return [
      { name: reported(named, `bytes with ${what}`), text: textOf(plain) },
      { name: reported(named, `signed bytes with ${what}`), text: textOf(signed(plain, bytes)) },
    ];
  });
}

function kindOf({ name }: Named): Kind {
  const kind = (['pulse', 'promise', 'now'] as const).find((each) => name.startsWith(each));
  if (kind === undefined) throw new RangeError(`${name} is no signed object`);
  return kind;
}

function signed(value: unknown, bytes: Uint8Array): unknown {
  const keyId = valueAt(value, ['body', 'keyId']);
  const key = Object.values(seeds)
    .map((seed) => hubKey(Buffer.from(seed, 'hex')))
    .find((each) => each.keyId === keyId);
  if (key === undefined) throw new RangeError('the vectors have no seed of this key');
  const signature = Buffer.from(key.sign(bytes)).toString('base64');
  const resigned = withValue(value, ['signature'], signature);
  const digested = valueAt(value, ['digest']) !== undefined;
  return digested ? withValue(resigned, ['digest'], sha256Hex(bytes)) : resigned;
}

/** Bodies that say something else under a good signature; a verifier may find some of them good. */
export function resignedBodies(): readonly Corruption[] {
  return [...pulses, ...promises, ...nows].flatMap((named) =>
    spotsOf(valueAt(named.value, ['body'])).flatMap(({ path, value }) => {
      const put = typeof value === 'number' ? value + 1 : later(value);
      if (put === undefined || path.includes('keyId')) return [];
      const changed = withValue(named.value, ['body', ...path], put);
      const bytes = Buffer.from(PREFIXES[kindOf(named)] + canonical(valueAt(changed, ['body'])));
      const whole = withValue(changed, ['bytes'], bytes.toString('base64url'));
      return [{ name: reported(named, 'signed again', path), text: textOf(signed(whole, bytes)) }];
    }),
  );
}

/** The same moment of another day, another digest, the other truth. */
function later(value: unknown): unknown {
  if (value === null) return { cause: 'down', from: '2026-01-01T00:00:00Z', minutes: 1, to: 'x' };
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return undefined;
  if (value.startsWith('2026-01-01')) return value.replace('01-01', '01-02');
  return /^[0-9a-f]{64}$/.test(value) ? sha256Hex(value) : `${value}x`;
}

/** Numbers that are written otherwise and mean the same: every reader takes them alike. */
export function otherNumbers(): readonly Corruption[] {
  return good.flatMap((named) =>
    ['-0', '0.0', '0e9', '1.0', '1E0', '10e-1'].map((text) => {
      const whole = text.includes('1') ? '1' : '0';
      const rewritten = textOf(named.value).replaceAll(
        new RegExp(`"(seq|leafIndex|leaves|blockNo)":${whole}(?=[,}])`, 'g'),
        `"$1":${text}`,
      );
      return { name: reported(named, `${text} for ${whole}`), text: rewritten };
    }),
  );
}

/** Paths and places of other leaves. */
function otherPlaces(named: Named): readonly Corruption[] {
  const path = membersOf(valueAt(named.value, ['path']));
  const paths = [
    [...path, ...path.slice(0, 1)],
    [...path, '0'.repeat(64)],
    path.slice(1),
    path.slice(0, -1),
    [...path].reverse(),
    [],
  ];
  const numbers = Array.from({ length: 9 }, (_, index) => index);
  return [
    ...paths.map((put) => ['path', put] as const),
    ...numbers.map((put) => ['leafIndex', put] as const),
    ...numbers.map((put) => ['leaves', put] as const),
  ].map(([name, put]) => ({
    name: reported(named, textOf(put).slice(0, 20), [name]),
    text: textOf(withValue(named.value, [name], put)),
  }));
}

/** Links in a circle, said twice, and left out in the middle. */
function otherOrder(named: Named): readonly Corruption[] {
  const links = membersOf(named.value);
  const [first] = links;
  const orders = links.flatMap((link, at) => {
    const [before, behind] = [links.slice(0, at), links.slice(at + 1)];
    return [
      { what: `from ${at + 1} on`, put: [...behind, ...before, link] },
      { what: `${at} twice`, put: [...before, link, link, ...behind] },
      ...(at > 0 && behind.length > 0
        ? [{ what: `none up to ${at}`, put: [first, ...behind] }]
        : []),
    ];
  });
  return orders.map(({ what, put }) => ({ name: reported(named, what), text: textOf(put) }));
}

/** Promises beside the proofs of others, and blocks beside the proofs of others. */
function otherPromises(): readonly Corruption[] {
  const pairs = promises.flatMap((promise) =>
    proofs.map((proof) => ({
      name: `${promise.name} with ${proof.name}`,
      text: textOf({ promise: promise.value, proof: proof.value }),
    })),
  );
  const keptTexts = new Set(kept.map(({ value }) => textOf(value)));
  const stamped = blocks.flatMap((block) =>
    proofs.map((proof) => ({
      name: `${block.name} with ${proof.name}`,
      text: textOf(withValue(block.value, ['proof'], proof.value)),
    })),
  );
  return [...pairs.filter(({ text }) => !keptTexts.has(text)), ...stamped];
}

function isOneOf(text: string, originals: ReadonlySet<string>): boolean {
  const value: unknown = JSON.parse(text);
  try {
    return originals.has(canonical(value));
  } catch {
    // A lone surrogate or a number beyond all bounds is in no original.
    return false;
  }
}
