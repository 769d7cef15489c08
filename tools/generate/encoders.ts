import { eachOperation, resolve, type Document, type Response, type Schema } from './document.ts';

/**
 * Writes code that makes the JSON of answers of what handlers return: a moment becomes its text, an
 * amount its digits, and of a closed object with such a member the members of the contract are
 * taken, in its order. What has none inside, and what is text already, stays as it is. Names:
 * `<operation>/<status>`, `…/<type>` for an item of a stream, and those of components.
 */
export function encodersText(document: Document): string {
  const writer = new Writer(document);
  const named = Object.entries(answers(document)).map(([name, schema]) => {
    const code = writer.of(schema);
    return code === undefined ? '' : `${JSON.stringify(name)}: ${code},\n`;
  });
  for (const name of Object.keys(document.components.schemas)) {
    writer.of({ $ref: `#/components/schemas/${name}` });
  }
  const components = [...writer.components].map(([name, code]) => `${name}: ${code},\n`);
  return `${MOMENT}
const amount = (v) => (typeof v === 'bigint' || typeof v === 'number' ? String(v) : v);
const list = (each) => (v) => (Array.isArray(v) ? v.map((one) => each(one)) : v);
const isObject = (v) => typeof v === 'object' && v !== null;
const map = (each) => (v) =>
  isObject(v) ? Object.fromEntries(Object.entries(v).map(([name, one]) => [name, each(one)])) : v;
${writer.code.join('')}export const encoders = {\n${components.join('')}${named.join('')}};\n`;
}

/** As `toISOString` writes it, at a fifth of the time: most moments of an answer are of one day. */
const MOMENT = `const digits = (n, width) => String(n).padStart(width, '0');
const two = Array.from({ length: 60 }, (_, n) => digits(n, 2));
const three = Array.from({ length: 1000 }, (_, n) => digits(n, 3));
let day, start;
const moment = (v) => {
  if (typeof v !== 'number') return v;
  const now = Math.floor(v / 86400000);
  if (now !== day) {
    const text = new Date(v).toISOString();
    start = text.slice(0, text.indexOf('T') + 1);
    day = now;
  }
  const ms = (v - now * 86400000) | 0;
  const s = (ms / 1000) | 0;
  const m = (s / 60) | 0;
  return start + two[(m / 60) | 0] + ':' + two[m % 60] + ':' + two[s % 60] + '.' + three[ms % 1000] + 'Z';
};`;

/** The shape of every answer that is made of JSON, and of one item of those that are streams. */
function answers(document: Document): Readonly<Record<string, Schema>> {
  const found: Record<string, Schema> = {};
  for (const { operation } of eachOperation(document)) {
    for (const [status, reference] of Object.entries(operation.responses)) {
      if (!status.startsWith('2')) continue;
      const { content = {} } = resolve<Response>(document, reference);
      for (const [type, { schema }] of Object.entries(content)) {
        const name = `${operation.operationId}/${status}`;
        if (schema === undefined) continue;
        if (type === 'application/json') found[name] = schema;
        else if (schema.items !== undefined) found[`${name}/${type}`] = schema.items;
      }
    }
  }
  return found;
}

class Writer {
  readonly code: string[] = [];
  /** The function of each component that has one. */
  readonly components = new Map<string, string>();
  readonly document: Document;

  constructor(document: Document) {
    this.document = document;
  }

  /** The function that encodes values of a schema; undefined when they stay as they are. */
  of(schema: Schema): string | undefined {
    const component = schema.$ref?.split('/').at(-1);
    if (component === undefined) return this.#written(schema);
    const known = this.components.get(component);
    if (known !== undefined) return known;
    const target = resolve<Schema>(this.document, schema);
    if (!hasBrand(this.document, target)) return undefined;
    if (!isClass(target)) {
      const code = this.#written(target);
      if (code !== undefined) this.components.set(component, code);
      return code;
    }
    // Before its members are looked at, of which one may be of the same kind.
    const name = `of${component}`;
    this.components.set(component, name);
    this.code.push(`const ${name} = ${this.#body(target)};\n`);
    return name;
  }

  #written(schema: Schema): string | undefined {
    if (schema['x-brand'] === 'Instant') return 'moment';
    if (isAmount(schema)) return 'amount';
    if (!hasBrand(this.document, schema)) return undefined;
    if (isClass(schema)) return `(${this.#body(schema)})`;
    const { items, additionalProperties: others } = schema;
    const each = items === undefined ? undefined : this.of(items);
    if (each !== undefined) return `list(${later(each)})`;
    const other = typeof others === 'object' ? this.of(others as Schema) : undefined;
    return other === undefined ? undefined : `map(${later(other)})`;
  }

  #body(schema: Schema): string {
    if (schema.oneOf !== undefined) return this.#choice(schema);
    const { properties = {}, additionalProperties } = schema;
    const members = Object.entries(properties).map(([name, each]) => {
      const place = `v[${JSON.stringify(name)}]`;
      const code = this.of(each);
      const isOpen = additionalProperties !== false;
      if (code === undefined && isOpen) return '';
      return `${JSON.stringify(name)}: ${code === undefined ? place : `${code}(${place})`}, `;
    });
    const rest = additionalProperties === false ? '' : '...v, ';
    return `(v) => (isObject(v) ? { ${rest}${members.join('')}} : v)`;
  }

  /** Each branch by the value of the member in which they differ. */
  #choice({ oneOf = [], discriminator }: Schema): string {
    const { propertyName = '', mapping = {} } = (discriminator ?? {}) as Discriminator;
    const cases = Object.entries(mapping).map(([value, $ref]) => {
      const code = this.of({ $ref });
      return `case ${JSON.stringify(value)}: return ${code === undefined ? 'v' : `${code}(v)`}; `;
    });
    if (cases.length < oneOf.length) throw new Error('a choice in an answer has a discriminator');
    const by = `v[${JSON.stringify(propertyName)}]`;
    return `(v) => { if (isObject(v)) switch (${by}) { ${cases.join('')}} return v; }`;
  }
}

/** Whether there is a moment or an amount in it, however deep. */
function hasBrand(document: Document, schema: Schema, seen = new Set<Schema>()): boolean {
  const { 'x-brand': brand, properties = {}, items, additionalProperties, oneOf = [] } = schema;
  if (brand === 'Instant' || isAmount(schema)) return true;
  if (seen.has(schema)) return false;
  seen.add(schema);
  const others = typeof additionalProperties === 'object' ? [additionalProperties as Schema] : [];
  const inside = [
    ...Object.values(properties),
    ...(items === undefined ? [] : [items]),
    ...others,
    ...oneOf,
  ];
  return inside.some((each) => hasBrand(document, resolve<Schema>(document, each), seen));
}

interface Discriminator {
  readonly propertyName: string;
  readonly mapping?: Readonly<Record<string, string>>;
}

function isAmount({ 'x-brand': brand }: Schema): boolean {
  return brand === 'Atomic' || brand === 'Sum' || brand === 'Chips';
}

function isClass({ properties, oneOf }: Schema): boolean {
  return properties !== undefined || (oneOf !== undefined && oneOf.length > 1);
}

/** A component's function may be written behind that which names it. */
function later(code: string): string {
  return /^of\w+$/.test(code) ? `(v) => ${code}(v)` : code;
}
