import { deref, validator, type DeclaredOperation, type Json } from '../../harness/contract.ts';
import { bodySchemaOf, parametersOf, typesOf, type Case } from './generate.ts';
import type { Schema } from './schema.ts';

/**
 * One-fault negatives: every request that differs from a whole one in one broken field. Each names
 * that field, as the hub must.
 */
export interface Fault {
  /** `body.checks[0].path`, as a refusal names it. */
  readonly field: string;
  readonly rule: string;
  readonly broken: Case;
}

type Put = (value: unknown) => Case;
interface Node {
  readonly schema: Schema;
  readonly value: unknown;
  readonly at: string;
  readonly put: Put;
}

const STRANGE = 'no-such-thing';
const TEXT_LONGEST = 100_000;
const ITEMS_MOST = 3_000;
const BODY_BYTES_MAX = 262_144;

/** Every single fault of an operation's request; `whole` should have every optional field. */
export function broken(operation: DeclaredOperation, whole: Case): readonly Fault[] {
  const inBody = bodyFaults(operation, whole);
  const inParameters = parametersOf(operation).flatMap(({ name, in: place, required, schema }) => {
    if (place === 'header') return [];
    const at = `${place}.${name}`;
    const put: Put = (value) => ({ ...whole, [place]: { ...whole[place], [name]: value } });
    const node = { schema: deref<Schema>(schema), value: whole[place][name], at, put };
    const missing = place === 'query' && required === true ? [without(node, whole, name)] : [];
    return [...missing, ...textFaults(node).filter((each) => arrives(place, name, each))];
  });
  const unknown = {
    field: `query.${STRANGE}`,
    rule: 'unknown name',
    broken: { ...whole, query: { ...whole.query, [STRANGE]: '1' } },
  };
  const ignores = operation.raw['x-unknown-query'] === 'ignored';
  return [...inParameters, ...(ignores ? [] : [unknown]), ...inBody];
}

/** A path value must stay one segment of the same path, and a request line has its own limit. */
function arrives(place: 'path' | 'query', name: string, { broken: made }: Fault): boolean {
  const text = String(made[place][name]);
  const length = encodeURIComponent(text).length;
  return length < 6_000 && (place === 'query' || !['', '.', '..'].includes(text));
}

function without({ at }: Node, whole: Case, name: string): Fault {
  const { [name]: _, ...query } = whole.query;
  return { field: at, rule: 'required', broken: { ...whole, query } };
}

/** Parameters are text, so of their types only those that text can miss count. */
function textFaults(node: Node): readonly Fault[] {
  const [type] = typesOf(node.schema);
  const text = { ...node, value: node.value ?? '' };
  if (type === 'integer')
    return [fault(text, 'type', 'abc'), ...rangeFaults(text), fault(text, 'integer', '1.5')];
  if (type === 'boolean') return [fault(text, 'type', 'maybe')];
  return [...choiceFaults(text), ...stringFaults(text)];
}

function bodyFaults(operation: DeclaredOperation, whole: Case): readonly Fault[] {
  const schema = bodySchemaOf(operation);
  if (schema === undefined) return [];
  const put: Put = (body) => ({ ...whole, body });
  const check = validator(schema as Json);
  const limit = Number(operation.raw['x-body-limit'] ?? BODY_BYTES_MAX);
  const { required } = operation.raw['requestBody'] as { readonly required?: boolean };
  const missing = { field: 'body', rule: 'required', broken: { ...whole, body: undefined } };
  const faults = faultsAt({ schema, value: whole.body, at: 'body', put }).filter(
    ({ rule, broken: { body } }) =>
      (rule === 'brand' || !check(body)) && Buffer.byteLength(JSON.stringify(body)) < limit,
  );
  return required === true ? [missing, ...faults] : faults;
}

function faultsAt(node: Node): readonly Fault[] {
  const schema = deref<Schema>(node.schema);
  const here = { ...node, schema };
  if (node.value === undefined) return [];
  if (schema.oneOf !== undefined) return choiceOfBranch(here, schema.oneOf);
  return [
    ...wrongType(here),
    ...choiceFaults(here),
    ...(typeof node.value === 'string' ? stringFaults(here) : []),
    ...(typeof node.value === 'number' ? numberFaults(here) : []),
    ...(Array.isArray(node.value) ? listFaults(here, node.value) : []),
    ...(isObject(node.value) ? objectFaults(here, node.value) : []),
  ];
}

function fault({ at, put }: Node, rule: string, value: unknown): Fault {
  return { field: at, rule, broken: put(value) };
}

const SAMPLES: readonly (readonly [string, unknown])[] = [
  ['boolean', true],
  ['string', 'text'],
  ['object', {}],
  ['array', []],
  ['null', null],
  ['number', 7.5],
];

function wrongType(node: Node): readonly Fault[] {
  const types = typesOf(node.schema);
  if (types.includes('any')) return [];
  return SAMPLES.filter(([type]) => !types.includes(type))
    .filter(([type]) => type !== 'number' || !types.includes('integer'))
    .slice(0, 2)
    .map(([, value]) => fault(node, 'type', value));
}

function choiceFaults(node: Node): readonly Fault[] {
  const { enum: values, const: only } = node.schema;
  if (values === undefined && only === undefined) return [];
  return [fault(node, 'enum', typeof (values?.[0] ?? only) === 'number' ? 987_654 : STRANGE)];
}

function stringFaults(node: Node): readonly Fault[] {
  const { minLength = 0, maxLength, pattern, format } = node.schema;
  const text = String(node.value);
  const faults: Fault[] = [];
  if (minLength > 0) faults.push(fault(node, 'minLength', ''));
  if (maxLength !== undefined && maxLength < TEXT_LONGEST) {
    const longer = text + (text.at(-1) ?? 'x').replace(/\P{ASCII}/u, 'x').repeat(maxLength + 1);
    faults.push(fault(node, 'maxLength', longer));
  }
  if (pattern !== undefined) {
    const grammar = new RegExp(pattern);
    const odd = ['!\u00e9!', ' ', '', '\u0001'].find((each) => !grammar.test(each));
    if (odd !== undefined) faults.push(fault(node, 'pattern', odd));
  }
  if (format === 'date-time') faults.push(fault(node, 'format', '2026-13-45T99:00:00Z'));
  if (format === 'uri') faults.push(fault(node, 'format', 'not an address'));
  return [...faults, ...brandFaults(node)];
}

/** Spelt as the pattern asks, and still none of what it names. */
const MISNAMED: Readonly<Record<string, string>> = {
  Atomic: '1000000000000001',
  Account: `key:${'1'.repeat(44)}`,
  KeyId: '1'.repeat(44),
};

function brandFaults(node: Node): readonly Fault[] {
  const odd = MISNAMED[node.schema['x-brand'] ?? ''];
  return odd === undefined ? [] : [fault(node, 'brand', odd)];
}

function numberFaults(node: Node): readonly Fault[] {
  const whole =
    typesOf(node.schema).includes('integer') && !typesOf(node.schema).includes('number');
  return [...rangeFaults(node), ...(whole ? [fault(node, 'integer', 1.5)] : [])];
}

/** Above a cap that clamps, a number is lowered and not refused (choices pipeline.caps). */
function rangeFaults(node: Node): readonly Fault[] {
  const { minimum, maximum } = node.schema;
  return [
    ...(minimum === undefined ? [] : [fault(node, 'minimum', minimum - 1)]),
    ...(maximum === undefined ? [] : [fault(node, 'maximum', maximum + 1)]),
  ];
}

function listFaults(node: Node, items: readonly unknown[]): readonly Fault[] {
  const { minItems = 0, maxItems, uniqueItems, items: schema } = node.schema;
  const faults: Fault[] = [];
  const [first] = items;
  if (minItems > 0) faults.push(fault(node, 'minItems', items.slice(0, minItems - 1)));
  if (first !== undefined && maxItems !== undefined && maxItems < ITEMS_MOST) {
    faults.push(fault(node, 'maxItems', Array(maxItems + 1).fill(first)));
  }
  if (first !== undefined && uniqueItems === true) {
    faults.push(fault(node, 'uniqueItems', [first, first]));
  }
  if (schema === undefined || first === undefined) return faults;
  const put: Put = (value) => node.put([value, ...items.slice(1)]);
  return [...faults, ...faultsAt({ schema, value: first, at: `${node.at}[0]`, put })];
}

function objectFaults(node: Node, value: Json): readonly Fault[] {
  const { properties = {}, required = [], additionalProperties, minProperties = 0 } = node.schema;
  const faults = required.map((name) => {
    const { [name]: _, ...rest } = value;
    return { field: `${node.at}.${name}`, rule: 'required', broken: node.put(rest) };
  });
  const strange =
    additionalProperties === false
      ? [
          {
            field: `${node.at}.${STRANGE}`,
            rule: 'unknown field',
            broken: node.put({ ...value, [STRANGE]: 1 }),
          },
        ]
      : [];
  const few = minProperties > 0 ? [fault(node, 'minProperties', {})] : [];
  const inside = Object.entries(properties).flatMap(([name, schema]) => {
    const put: Put = (field) => node.put({ ...value, [name]: field });
    return faultsAt({ schema, value: value[name], at: `${node.at}.${name}`, put });
  });
  return [...faults, ...strange, ...few, ...inside];
}

/** The branch that the value is of is broken; so is the word that names the branch. */
function choiceOfBranch(node: Node, branches: readonly Schema[]): readonly Fault[] {
  const branch = branches.find((each) => validator(each as Json)(node.value));
  const tag = node.schema.discriminator?.propertyName;
  if (branch === undefined || tag === undefined || !isObject(node.value)) return wrongType(node);
  const { [tag]: _, ...untagged } = node.value;
  const field = `${node.at}.${tag}`;
  return [
    { field, rule: 'discriminator', broken: node.put({ ...node.value, [tag]: STRANGE }) },
    { field, rule: 'discriminator', broken: node.put(untagged) },
    ...['text', null, []].map((value) => fault(node, 'type', value)),
    ...faultsAt({ ...node, schema: branch }).filter((each) => each.field !== field),
  ];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
