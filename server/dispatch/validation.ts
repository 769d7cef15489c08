import type { ErrorCode } from '../../generated/errors.ts';
import { componentCodes } from '../../generated/operations.ts';
import { validators, type ValidationError } from '../../generated/validators.js';
import { HubError, refuse, type RefusalDetail } from '../../workflows/kernel/errors.ts';
import type { OperationSpec, ParameterSpec } from '../../workflows/kernel/operation.ts';
import { listOf } from '../../domain/jsonObject.ts';
import { head, shorten } from '../../domain/text.ts';
import { failuresOf, propertiesOf, unescapePointer, valueAt, type Found } from './faults.ts';
import { faultOf, withFaults } from '../../workflows/kernel/faultList.ts';

type Place = 'body' | ParameterSpec['in'];

/** Refuses what the contract does not take, naming the place, the rule and what was sent. */
export function validate(spec: OperationSpec, place: Place, value: unknown): void {
  const check = validators[`${spec.id}/${place}`];
  if (check === undefined || check(value)) return;
  const failure = mostTelling(check.errors ?? []);
  if (failure === undefined) throw new Error(`validator of ${spec.id}/${place} gave no reason`);
  const { found, errors } = failuresOf(spec, place, value);
  const refusals = found.map((each) => refusalOf(spec, { place, others: errors, ...each }));
  // The schema of a form and the names of an object are in the failures of the whole alone.
  const same = found.findIndex((each) => isSame(each.failure, failure));
  const first = refusalOf(spec, { place, value, failure, others: check.errors ?? [] });
  const isThere = ({ detail }: HubError): boolean => detail.field === first.detail.field;
  throw withFaults(
    refusals[same] ?? refusals.find(isThere) ?? first,
    refusals.map((each, n) => faultOf(each, found[n]?.nearest)),
  );
}

function isSame(one: ValidationError, other: ValidationError): boolean {
  const { keyword, instancePath, params } = other;
  const isThere = one.keyword === keyword && one.instancePath === instancePath;
  return isThere && NAMES.every((name) => one.params[name] === params[name]);
}

const NAMES = ['missingProperty', 'additionalProperty'] as const;

/** Finds what an answer has that the contract does not declare; undefined when it conforms. */
export function answerFault(
  spec: OperationSpec,
  status: number,
  body: unknown,
): string | undefined {
  const check = validators[`${spec.id}/${status}`];
  if (check === undefined) return `status ${status} of ${spec.id} declares no JSON answer`;
  if (check(body)) return undefined;
  const failure = mostTelling(check.errors ?? []);
  return `${spec.id} ${status}${failure?.instancePath ?? ''} ${failure?.message ?? 'is wrong'} ${JSON.stringify(failure?.params)}`;
}

/** `oneOf` and `anyOf` only wrap what failed; a branch of another type was not the one meant. */
function mostTelling(errors: readonly ValidationError[]): ValidationError | undefined {
  const inside = errors.filter((each) => !['oneOf', 'anyOf', 'if'].includes(each.keyword));
  return inside.find((each) => each.keyword !== 'type') ?? inside[0] ?? errors[0];
}

interface Failed extends Found {
  readonly place: Place;
  /** All failures of the body. */
  readonly others: readonly ValidationError[];
}

function refusalOf(spec: OperationSpec, failed: Failed): HubError {
  const { place, value, failure, others } = failed;
  const field = fieldName(place, failure.instancePath);
  const got = quoted(valueAt(value, failure.instancePath));
  const make = (code: ErrorCode, detail: RefusalDetail): HubError => new HubError(code, detail, {});
  const text = (name: string): string => String(failure.params[name]);
  const parameter = parameterOf(spec, place, failure);
  const own = codeOf(spec, failure) ?? parameter?.code;
  switch (failure.keyword) {
    case 'required': {
      const missing = `${field}.${text('missingProperty')}`;
      return make('missing-field', { error: `${missing} is required.`, field: missing });
    }
    case 'additionalProperties': {
      const strange = `${field}.${text('additionalProperty')}`;
      const isWhole = failure.parentSchema !== undefined || place !== 'body';
      const allowed = place === 'body' ? propertiesOf(failure.parentSchema) : namesIn(spec, place);
      const { nearest } = failed;
      const meant = nearest === undefined ? '' : ` The nearest is ${nearest}.`;
      return make('bad-request', {
        error: `${strange} is not a field this operation takes.${meant}`,
        field: strange,
        ...(isWhole && { allowed: allowed.slice(0, NAMES_MAX) }),
        ...(isWhole && {
          hint: `Names it takes: ${allowed.length === 0 ? 'none' : allowed.slice(0, NAMES_MAX).join(', ')}.`,
        }),
      });
    }
    case 'discriminator': {
      const { tagValue } = failure.params;
      const tag = `${field}.${text('tag')}`;
      const allowed = [...(KINDS[text('tag')] ?? [])];
      const kinds = allowed.join(', ');
      return tagValue === undefined
        ? make('missing-field', { error: `${tag} is required: ${kinds}.`, field: tag, allowed })
        : make('unknown-field-value', {
            error: `${tag} must be one of ${kinds}; got ${quoted(tagValue)}.`,
            field: tag,
            allowed,
          });
    }
    case 'enum':
    case 'const': {
      const allowed = allowedValues(failure);
      const code = place === 'body' ? 'unknown-field-value' : 'unknown-filter';
      return make(place === 'path' ? 'bad-path' : (own ?? code), {
        error: `${field} must be one of ${allowed.join(', ')}; got ${got}.`,
        field,
        ...(allowed.length > 0 && { allowed }),
      });
    }
    default:
      return make(place === 'path' ? (own ?? 'bad-path') : (own ?? 'bad-request'), {
        error: `${field} ${ruleOf(failure, others)}; got ${got}.`,
        field,
        ...(isPrefixed(field, got) && {
          hint: 'Leave `key:` out: a key id is the bare base58 form, 32 to 44 characters.',
        }),
        ...(parameter?.hint !== undefined && { hint: hintFor(parameter.hint, got) }),
      });
  }
}

/**
 * Values of the fields that select the shape of a body. A validation failure does not carry them; a
 * test holds them against the contract.
 */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  kind: ['all', 'json_schema', 'fields', 'contains', 'files'],
  format: ['cash', 'sng'],
};

const NAMES_MAX = 60;

/** The rule that a value breaks; where a choice takes several types, all of them. */
function ruleOf(failure: ValidationError, others: readonly ValidationError[]): string {
  if (failure.keyword === 'pattern' || failure.keyword === 'format') return formOf(failure);
  if (failure.keyword !== 'type') return failure.message ?? 'is not of the form this takes';
  const same = others.filter(
    ({ keyword, instancePath }) => keyword === 'type' && instancePath === failure.instancePath,
  );
  const types = new Set(same.flatMap(({ params }) => [params['type']].flat().map(String)));
  const example = types.size === 1 ? exampleIn(failure) : undefined;
  const written = isScalar(example) ? `, written like ${quoted(example)}` : '';
  return `must be ${[...types].join(' or ')}${written}`;
}

const DESCRIPTION_MAX = 160;

/** A form in words: an example of it, or what the contract says of it, and never its pattern. */
function formOf(failure: ValidationError): string {
  const { parentSchema } = failure;
  const example = exampleIn(failure);
  if (example !== undefined) return `must be written like ${quoted(example)}`;
  const description = parentSchema?.['description'];
  if (typeof description !== 'string') return 'is not of the form this takes';
  const [sentence = ''] = description.split(/(?<=\.)\s/);
  return `must be: ${shorten(sentence.replace(/\.$/, ''), DESCRIPTION_MAX)}`;
}

function exampleIn({ parentSchema }: ValidationError): unknown {
  return listOf(parentSchema?.['examples'])[0] ?? parentSchema?.['example'];
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function hintFor(hint: string, got: string): string {
  return hint.replace('{value}', () => encodeURIComponent(got.replace(/^"|"$/g, '')));
}

/** The name of an account where the id of a key belongs. */
function isPrefixed(field: string, got: string): boolean {
  return /keyId$/i.test(field) && got.startsWith('"key:');
}

/** The code that the contract gives a value form: by shared component, or inline by schema path. */
function codeOf(spec: OperationSpec, failure: ValidationError): ErrorCode | undefined {
  const shared = componentCodes[failure.schemaPath.split('/')[0] ?? ''];
  if (shared === 'note-too-long' && failure.keyword !== 'maxLength') return undefined;
  if (shared !== undefined) return shared;
  // An inline code names a limit of the value; another type of value is simply the wrong type.
  if (failure.keyword === 'type') return undefined;
  return spec.body?.codes[failure.schemaPath.replace(/\/[^/]+$/, '')];
}

function parameterOf(
  spec: OperationSpec,
  place: Place,
  failure: ValidationError,
): ParameterSpec | undefined {
  const name = failure.instancePath.split('/')[1];
  return spec.parameters.find((each) => each.in === place && each.name === name);
}

function namesIn(spec: OperationSpec, place: Place): string[] {
  return spec.parameters.filter((each) => each.in === place).map((each) => each.name);
}

function allowedValues(failure: ValidationError): string[] {
  const values = failure.params['allowedValues'] ?? failure.params['allowedValue'];
  return [values].flat().map(String);
}

/** `body.checks[0].path`: the one way in which a refusal names a place. */
export function fieldName(place: Place, pointer: string): string {
  const steps = pointer.split('/').slice(1).map(unescapePointer);
  return steps.reduce(
    (at, step) => (/^\d+$/.test(step) ? `${at}[${step}]` : `${at}.${step}`),
    String(place),
  );
}

const QUOTED_MAX = 80;
const QUOTED_MEMBERS_MAX = 20;

/** As much of a value as a refusal shows; the rest of it is not even looked at. */
function quoted(value: unknown): string {
  if (typeof value === 'string') return head(JSON.stringify(head(value, QUOTED_MAX)), QUOTED_MAX);
  if (Array.isArray(value)) return listed('[', value.slice(0, QUOTED_MEMBERS_MAX).map(quoted), ']');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'nothing';
  const members: string[] = [];
  for (const name in value) {
    if (members.length === QUOTED_MEMBERS_MAX) break;
    members.push(`${quoted(name)}:${quoted((value as Record<string, unknown>)[name])}`);
  }
  return listed('{', members, '}');
}

function listed(open: string, members: readonly string[], close: string): string {
  return head(`${open}${members.join(',')}${close}`, QUOTED_MAX);
}

/** Splits a raw query string into single values; a name twice or broken percent text is refused. */
export function queryValues(raw: string): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  if (raw === '') return values;
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decoded(cut < 0 ? pair : pair.slice(0, cut));
    if (Object.hasOwn(values, name)) {
      const field = `query.${name}`;
      refuse('bad-request', { error: `${field} is there twice.`, field });
    }
    Object.defineProperty(values, name, {
      value: cut < 0 ? '' : decoded(pair.slice(cut + 1)),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return values;
}

function decoded(text: string): string {
  const broken = (what: string): never =>
    refuse('bad-request', {
      error: `The query holds ${what} near ${JSON.stringify(head(text, 40))}.`,
      field: 'query',
      hint: 'Percent-encode the query as UTF-8, without U+0000, and send the call again.',
    });
  try {
    const value = decodeURIComponent(text.replaceAll('+', ' '));
    // PostgreSQL keeps no U+0000 in text, so nothing may be asked for by it.
    return value.includes('\0') ? broken('U+0000') : value;
  } catch (thrown) {
    if (!(thrown instanceof URIError)) throw thrown;
    return broken('broken percent-encoding');
  }
}
