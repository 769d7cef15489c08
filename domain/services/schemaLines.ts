import { isObject, listOf, type JsonObject } from '../jsonObject.ts';
import { refTargets, SchemaTooLarge, type RefTargets } from './schemaRefs.ts';
import { hasLines, meaningWords, nameWord, typeWords, unknownKeywords } from './schemaTypes.ts';
import { head } from '../text.ts';

/**
 * A JSON Schema as compact lines, one for each field: required ones first and starred, inner ones
 * indented. A keyword without words is named in `omitted`, never dropped in silence.
 */
export interface SchemaText {
  readonly lines: readonly string[];
  /** JSON pointers of keywords that the lines do not express. */
  readonly omitted: readonly string[];
}

export const SCHEMA_DEPTH_MAX = 32;
const LINES_MAX = 2_000;
const LINE_LENGTH_MAX = 2_000;
const OMITTED_MAX = 200;
const POINTER_LENGTH_MAX = 300;
const INSIDE = ' ';

interface Place {
  readonly indent: string;
  readonly depth: number;
  readonly pointer: string;
}

export function schemaLines(schema: JsonObject): SchemaText {
  const writer = new Writer(refTargets(schema));
  writer.root(schema);
  return { lines: writer.lines, omitted: writer.omitted };
}

class Writer {
  readonly lines: string[] = [];
  readonly omitted: string[] = [];
  readonly #targets: RefTargets;

  constructor(targets: RefTargets) {
    this.#targets = targets;
  }

  root(whole: JsonObject): void {
    const schema = this.#targets.inlined(whole);
    const place = { indent: '', depth: 0, pointer: '' };
    const isPlain = schema['type'] === 'object' && isObject(schema['properties']);
    const words = headOf(isPlain ? { ...schema, type: undefined } : schema, this.#targets);
    const head = joined(words, meaningWords(schema));
    if (head !== '') this.#add('', head);
    this.#inside(schema, place);
    if (this.lines.length === 0) this.#add('', isPlain ? 'no fields' : 'any');
    for (const { name, schema: named, pointer } of this.#targets.named) {
      this.#value(`${name} =`, named, { indent: '', depth: 1, pointer });
    }
  }

  /** A label with its value's words, and below it what is inside. */
  #value(label: string, value: unknown, place: Place): void {
    if (place.depth > SCHEMA_DEPTH_MAX) throw new SchemaTooLarge();
    if (!isObject(value)) {
      this.#add(place.indent, joined(label, value === false ? 'never' : 'any', ' '));
      return;
    }
    const schema = this.#targets.inlined(value);
    const items = plainItems(schema, this.#targets);
    const words = items ?? headOf(schema, this.#targets);
    const hasInside = hasLines(schema) && items === undefined;
    const head = joined(label, words || (hasInside ? '' : 'any'), ' ');
    this.#add(place.indent, joined(head, meaningWords(schema)));
    const inner = { ...place, indent: place.indent + INSIDE };
    if (items === undefined) this.#inside(schema, inner);
    else this.#report(schema, place.pointer);
  }

  #inside(schema: JsonObject, place: Place): void {
    this.#report(schema, place.pointer);
    this.#fields(schema, place);
    this.#otherFields(schema, place);
    this.#items(schema, place);
    this.#choices(schema, place);
    this.#conditions(schema, place);
  }

  #fields(schema: JsonObject, place: Place): void {
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const required = listOf(schema['required']).filter((name) => typeof name === 'string');
    const names = [...new Set([...required, ...Object.keys(properties)])];
    for (const name of names) {
      const star = required.includes(name) ? '*' : '';
      const known = Object.hasOwn(properties, name) ? properties[name] : true;
      this.#value(`${nameWord(name)}${star}:`, known, below(place, `properties/${escaped(name)}`));
    }
  }

  #otherFields(schema: JsonObject, place: Place): void {
    for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
      const others = schema[keyword];
      if (others === false) this.#add(place.indent, 'no others');
      else if (isObject(others)) this.#value('others:', others, below(place, keyword));
    }
    for (const [pattern, value] of entriesOf(schema['patternProperties'])) {
      this.#value(`/${pattern}/:`, value, below(place, `patternProperties/${escaped(pattern)}`));
    }
    if (schema['propertyNames'] !== undefined) {
      this.#value('names:', schema['propertyNames'], below(place, 'propertyNames'));
    }
    for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
      for (const [name, needs] of entriesOf(schema[keyword])) {
        const label = `with ${nameWord(name)}:`;
        const names = listOf(needs).map((each) => `${nameWord(String(each))}*`);
        if (Array.isArray(needs)) this.#add(place.indent, `${label} ${names.join(' ')}`);
        else this.#value(label, needs, below(place, `${keyword}/${escaped(name)}`));
      }
    }
  }

  #items(schema: JsonObject, place: Place): void {
    const { items } = schema;
    const before = listOf(schema['prefixItems'] ?? (Array.isArray(items) ? items : []));
    for (const [index, each] of before.entries()) {
      this.#value(`item ${index + 1}:`, each, below(place, `prefixItems/${index}`));
    }
    const after = Array.isArray(items) ? schema['additionalItems'] : items;
    const label = before.length > 0 ? 'more:' : 'each:';
    if (after !== undefined) this.#value(label, after, below(place, 'items'));
    if (schema['unevaluatedItems'] !== undefined) {
      this.#value('more:', schema['unevaluatedItems'], below(place, 'unevaluatedItems'));
    }
    for (const keyword of ['contains', 'contentSchema']) {
      const value = schema[keyword];
      if (value !== undefined) this.#value(`${keyword}:`, value, below(place, keyword));
    }
  }

  #choices(schema: JsonObject, place: Place): void {
    for (const [keyword, label] of CHOICES) {
      const all = listOf(schema[keyword]);
      if (all.length === 0 || shortChoice(schema, keyword, this.#targets) !== undefined) continue;
      this.#add(place.indent, label);
      const inner = { ...place, indent: place.indent + INSIDE };
      for (const [index, each] of all.entries()) {
        this.#value('-', each, below(inner, `${keyword}/${index}`));
      }
    }
  }

  #conditions(schema: JsonObject, place: Place): void {
    for (const keyword of ['not', 'if', 'then', 'else']) {
      const value = schema[keyword];
      if (value !== undefined) this.#value(`${keyword}:`, value, below(place, keyword));
    }
  }

  #report(schema: JsonObject, pointer: string): void {
    const places = unknownKeywords(schema).map((name) => `${pointer}/${escaped(name)}`);
    const lost = this.#targets.isLost(schema) ? [`${pointer}/$ref`] : [];
    for (const each of [...places, ...lost]) {
      if (this.omitted.length < OMITTED_MAX) this.omitted.push(head(each, POINTER_LENGTH_MAX));
    }
  }

  #add(indent: string, text: string): void {
    for (let at = 0; at < text.length || at === 0; at += LINE_LENGTH_MAX - 100) {
      if (this.lines.length >= LINES_MAX) throw new SchemaTooLarge();
      const more = at === 0 ? '' : '… ';
      this.lines.push(indent + more + text.slice(at, at + LINE_LENGTH_MAX - 100));
    }
  }
}

const CHOICES = [
  ['oneOf', 'one of:'],
  ['anyOf', 'any of:'],
  ['allOf', 'all of:'],
] as const;

/** The words of one place: its type, the type it refers to, and a choice that fits in the line. */
function headOf(schema: JsonObject, targets: RefTargets): string {
  const choices = CHOICES.map(([keyword]) => shortChoice(schema, keyword, targets) ?? '');
  return [targets.nameOf(schema) ?? '', typeWords(schema), ...choices].filter(Boolean).join(' ');
}

/** A choice of plain types or names stands in the line itself: `string|integer`. */
function shortChoice(
  schema: JsonObject,
  keyword: 'oneOf' | 'anyOf' | 'allOf',
  targets: RefTargets,
): string | undefined {
  if (keyword === 'allOf') return undefined;
  const words = listOf(schema[keyword]).map((each) => plainWords(each, targets));
  if (words.length === 0 || words.includes(undefined)) return undefined;
  return words.map((each) => (each?.includes(' ') === true ? `(${each})` : each)).join('|');
}

/** `[string]` for a list of plain values; undefined when what is inside needs lines. */
function plainItems(schema: JsonObject, targets: RefTargets): string | undefined {
  const { items, ...rest } = schema;
  if (schema['type'] !== 'array' || !isObject(items)) return undefined;
  if (hasLines(rest) || targets.nameOf(rest) !== undefined) return undefined;
  const words = plainWords(items, targets);
  return words && joined(`[${words}]`, typeWords({ ...rest, type: undefined }), ' ');
}

function plainWords(value: unknown, targets: RefTargets): string | undefined {
  if (!isObject(value)) return undefined;
  const schema = targets.inlined(value);
  const isPlain =
    !hasLines(schema) &&
    meaningWords(schema) === '' &&
    unknownKeywords(schema).length === 0 &&
    !targets.isLost(schema);
  return isPlain
    ? [targets.nameOf(schema) ?? '', typeWords(schema, '|')].filter(Boolean).join(' ') || undefined
    : undefined;
}

function below(place: Place, step: string): Place {
  return { ...place, depth: place.depth + 1, pointer: `${place.pointer}/${step}` };
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function joined(first: string, second: string, between = ', '): string {
  return first === '' || second === '' ? first + second : first + between + second;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}
