import { defined } from '../defined.ts';
import { isObject, type JsonObject } from '../jsonObject.ts';
import { DIMENSIONS_MAX } from './embedding.ts';
import {
  cheapestFirst,
  COUNTERS,
  LENGTH_FIELDS,
  parseUsdPerMillion,
  type Backend,
  type Counter,
  type Embeds,
  type LengthField,
  type Offer,
  type Provider,
  type TokenPrice,
} from './offer.ts';
import { isParameter, USUAL_PARAMETERS } from './parameters.ts';
import { bothRead } from './routing.ts';

/**
 * Reads the operator's file of providers into offers (choices models.providers). A file with any
 * fault is refused whole, with the place of the fault, before the hub starts.
 */
class BadUpstreams extends Error {
  override readonly name = 'BadUpstreams';
}

type Read<T> = (value: unknown, at: string) => T;
/** Looks a key up by the name of its environment variable. */
export type KeyNamed = (variable: string) => string | undefined;

const MODEL_ID = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,159}$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/;
const VARIABLE = /^[A-Z][A-Z0-9_]{0,99}$/;
const PROVIDERS_MAX = 50;
const MODELS_MAX = 200;
const PARAMETERS_MAX = 64;
const WHOLE_BPS = 10_000n;
const MARGIN_PERCENT_MAX = 1_000;
const MS_MAX = 600_000;
const PROVIDER_FIELDS = [
  'name',
  'baseUrl',
  'keyFrom',
  'backend',
  'marginPercent',
  'firstTokenMs',
  'idleMs',
  'totalMs',
  'models',
];
const MODEL_FIELDS = [
  'id',
  'upstreamId',
  'name',
  'description',
  'input',
  'cachedInput',
  'output',
  'imageTokens',
  'fileTokens',
  'dimensions',
  'shortens',
  'marginPercent',
  'contextLength',
  'maxAnswerTokens',
  'counter',
  'thinks',
  'rewrites',
  'parameters',
  'lengthField',
  'since',
];

/** Throws BadUpstreams, whose text names the place and what belongs there. */
export function readUpstreams(file: unknown, keyNamed: KeyNamed): readonly Offer[] {
  const { providers } = objectWith(file, 'the file', ['providers']);
  const parts = listOf(providers, 'providers', PROVIDERS_MAX).flatMap((each, index) =>
    readProvider(each, `providers[${index}]`, keyNamed),
  );
  const offers = new Map<string, Offer>();
  for (const part of parts) {
    const known = offers.get(part.id);
    offers.set(part.id, known === undefined ? part : joined(known, part));
  }
  return [...offers.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function readProvider(value: unknown, at: string, keyNamed: KeyNamed): readonly Offer[] {
  const given = objectWith(value, at, PROVIDER_FIELDS);
  const name = text(given['name'], `${at}.name`, NAME);
  const variable = optional(given['keyFrom'], `${at}.keyFrom`, (v, p) => text(v, p, VARIABLE));
  const key = variable === undefined ? undefined : keyNamed(variable);
  if (variable !== undefined && !key) {
    throw new BadUpstreams(`${at}.keyFrom names ${variable}, which is not set`);
  }
  const common = {
    name,
    url: baseOf(given['baseUrl'], `${at}.baseUrl`),
    ...defined({ key }),
    firstTokenMs: optional(given['firstTokenMs'], `${at}.firstTokenMs`, milliseconds) ?? 30_000,
    idleMs: optional(given['idleMs'], `${at}.idleMs`, milliseconds) ?? 30_000,
    totalMs: optional(given['totalMs'], `${at}.totalMs`, milliseconds) ?? 300_000,
  };
  const backend = optional(given['backend'], `${at}.backend`, backendNamed) ?? 'upstream';
  const margin = optional(given['marginPercent'], `${at}.marginPercent`, marginBps) ?? 0n;
  return listOf(given['models'], `${at}.models`, MODELS_MAX).map((model, index) =>
    readModel(model, `${at}.models[${index}]`, { common, backend, margin }),
  );
}

interface Around {
  /** With the address below which the provider's operations are. */
  readonly common: Omit<Provider, 'model' | 'price' | 'lengthField'> & { readonly url: string };
  readonly backend: Backend;
  readonly margin: bigint;
}

function readModel(value: unknown, at: string, { common, backend, margin }: Around): Offer {
  const given = objectWith(value, at, MODEL_FIELDS);
  const id = text(given['id'], `${at}.id`, MODEL_ID);
  const bps = optional(given['marginPercent'], `${at}.marginPercent`, marginBps) ?? margin;
  const embeds = embedsOf(given, at);
  const cached = optional(given['cachedInput'], `${at}.cachedInput`, price6);
  const price: TokenPrice = {
    input: withMargin(price6(given['input'], `${at}.input`), bps),
    // A vector has no tokens.
    output: embeds ? 0n : withMargin(price6(given['output'], `${at}.output`), bps),
    ...(cached !== undefined && { cached: withMargin(cached, bps) }),
  };
  if (price.cached !== undefined && price.cached > price.input) {
    throw new BadUpstreams(`${at}.cachedInput is above input, so no hold would cover it`);
  }
  const upstreamId = optional(given['upstreamId'], `${at}.upstreamId`, plain) ?? id;
  const description = optional(given['description'], `${at}.description`, plain);
  const contextLength = count(given['contextLength'], `${at}.contextLength`);
  const answerMax =
    embeds === undefined ? count(given['maxAnswerTokens'], `${at}.maxAnswerTokens`) : 1;
  const lengthField =
    optional(given['lengthField'], `${at}.lengthField`, lengthFieldNamed) ?? 'max_tokens';
  const path = embeds === undefined ? '/chat/completions' : '/embeddings';
  return {
    id,
    name: optional(given['name'], `${at}.name`, plain) ?? id,
    ...defined({ description }),
    contextLength,
    maxAnswerTokens: Math.min(answerMax, contextLength),
    ...defined({ embeds }),
    backend,
    reads: defined({
      image: optional(given['imageTokens'], `${at}.imageTokens`, count),
      file: optional(given['fileTokens'], `${at}.fileTokens`, count),
    }),
    counter: optional(given['counter'], `${at}.counter`, counterNamed) ?? 'o200k_base',
    thinks: optional(given['thinks'], `${at}.thinks`, yesOrNo) ?? false,
    rewrites: optional(given['rewrites'], `${at}.rewrites`, yesOrNo) ?? false,
    since: optional(given['since'], `${at}.since`, count) ?? 0,
    parameters:
      optional(given['parameters'], `${at}.parameters`, parameterNames) ??
      (embeds === undefined ? USUAL_PARAMETERS : []),
    providers: [{ ...common, url: `${common.url}${path}`, model: upstreamId, price, lengthField }],
  };
}

/** A model with `dimensions` makes vectors; then it has no price and length of answers. */
function embedsOf(given: JsonObject, at: string): Embeds | undefined {
  const { dimensions, shortens } = given;
  if (dimensions === undefined && shortens === undefined) return undefined;
  const strange = ['output', 'maxAnswerTokens'].find((name) => given[name] !== undefined);
  if (strange !== undefined) {
    throw new BadUpstreams(`${at}.${strange} does not go with dimensions: a vector has no tokens`);
  }
  const most = count(dimensions, `${at}.dimensions`);
  if (most > DIMENSIONS_MAX) {
    throw new BadUpstreams(`${at}.dimensions is at most ${DIMENSIONS_MAX}`);
  }
  return { dimensions: most, shortens: optional(shortens, `${at}.shortens`, yesOrNo) ?? false };
}

/** One model of several providers: what all of them give, and test money only where all are local. */
function joined(one: Offer, other: Offer): Offer {
  const names = one.providers.map(({ name }) => name);
  if (other.providers.some(({ name }) => names.includes(name))) {
    throw new BadUpstreams(`the model ${one.id} stands twice under one provider`);
  }
  if (one.embeds?.dimensions !== other.embeds?.dimensions) {
    throw new BadUpstreams(`the model ${one.id} has other dimensions at another provider`);
  }
  const shortens = one.embeds?.shortens === true && other.embeds?.shortens === true;
  return {
    ...one,
    ...(one.embeds && { embeds: { ...one.embeds, shortens } }),
    contextLength: Math.min(one.contextLength, other.contextLength),
    maxAnswerTokens: Math.min(one.maxAnswerTokens, other.maxAnswerTokens),
    backend: one.backend === 'local' && other.backend === 'local' ? 'local' : 'upstream',
    reads: bothRead(one.reads, other.reads),
    thinks: one.thinks || other.thinks,
    rewrites: one.rewrites || other.rewrites,
    parameters: one.parameters.filter((name) => other.parameters.includes(name)),
    providers: [...one.providers, ...other.providers].sort(cheapestFirst),
  };
}

function withMargin(units: bigint, bps: bigint): bigint {
  return (units * (WHOLE_BPS + bps) + WHOLE_BPS - 1n) / WHOLE_BPS;
}

function objectWith(value: unknown, at: string, names: readonly string[]): JsonObject {
  if (!isObject(value)) throw new BadUpstreams(`${at} is an object`);
  const strange = Object.keys(value).find((name) => !names.includes(name));
  if (strange === undefined) return value;
  throw new BadUpstreams(`${at}.${strange} is unknown; known: ${names.join(', ')}`);
}

function listOf(value: unknown, at: string, most: number): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= most) return value;
  throw new BadUpstreams(`${at} is a list of 1 to ${most}`);
}

function optional<T>(value: unknown, at: string, read: Read<T>): T | undefined {
  return value === undefined ? undefined : read(value, at);
}

function text(value: unknown, at: string, form: RegExp): string {
  if (typeof value === 'string' && form.test(value)) return value;
  throw new BadUpstreams(`${at} is a text of the form ${form.source}`);
}

const plain: Read<string> = (value, at) => text(value, at, /^[^\p{C}]{1,200}$/u);

function baseOf(value: unknown, at: string): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '';
  if (isPlain && url.username === '' && url.hash === '') return url.href.replace(/\/+$/, '');
  throw new BadUpstreams(`${at} is an address like https://api.example/v1`);
}

const count: Read<number> = (value, at) => {
  if (Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= 2 ** 31) {
    return Number(value);
  }
  throw new BadUpstreams(`${at} is a whole number above 0`);
};

const milliseconds: Read<number> = (value, at) => Math.min(count(value, at), MS_MAX);

const yesOrNo: Read<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value;
  throw new BadUpstreams(`${at} is true or false`);
};

const backendNamed: Read<Backend> = (value, at) => {
  if (value === 'upstream' || value === 'local') return value;
  throw new BadUpstreams(`${at} is upstream or local`);
};

const lengthFieldNamed: Read<LengthField> = (value, at) => {
  const found = LENGTH_FIELDS.find((each) => each === value);
  if (found !== undefined) return found;
  throw new BadUpstreams(`${at} is one of ${LENGTH_FIELDS.join(', ')}`);
};

const parameterNames: Read<readonly string[]> = (value, at) => {
  const names = Array.isArray(value) ? value.slice(0, PARAMETERS_MAX + 1) : [];
  if (Array.isArray(value) && names.length <= PARAMETERS_MAX && names.every(isParameter)) {
    return [...new Set(names)];
  }
  throw new BadUpstreams(
    `${at} is a list of at most ${PARAMETERS_MAX} parameters that the model takes, such as temperature or top_k`,
  );
};

const counterNamed: Read<Counter> = (value, at) => {
  const found = COUNTERS.find((each) => each === value);
  if (found !== undefined) return found;
  throw new BadUpstreams(`${at} is one of ${COUNTERS.join(', ')}`);
};

/** Prices are texts, because 0.1 is no number of a computer's. */
const price6: Read<bigint> = (value, at) => {
  const units = typeof value === 'string' ? parseUsdPerMillion(value) : undefined;
  if (units !== undefined) return units;
  throw new BadUpstreams(`${at} is USD per million tokens as a text such as "0.15"`);
};

const marginBps: Read<bigint> = (value, at) => {
  if (typeof value === 'number' && value >= 0 && value <= MARGIN_PERCENT_MAX) {
    return BigInt(Math.round(value * 100));
  }
  throw new BadUpstreams(`${at} is a number of percent from 0 to ${MARGIN_PERCENT_MAX}`);
};
