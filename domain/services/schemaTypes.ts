import { listOf, type JsonObject } from '../jsonObject.ts';

/**
 * One JSON Schema in a few words: types, values and limits of this place; `schemaLines.ts` writes
 * what is inside. WORDED has the keywords put into words here; unknown ones are reported.
 */
const WORDED = [
  'type',
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'nullable',
  'contentEncoding',
  'contentMediaType',
  'title',
  'description',
];
const REFERENCES = ['$ref', '$dynamicRef'];
/** Written by `schemaLines.ts`, as lines of their own. */
const LINED = [
  'properties',
  'required',
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'contentSchema',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
];
/** They name or comment, and limit nothing. */
const SILENT = [
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$comment',
  '$defs',
  'definitions',
  '$vocabulary',
];
const KNOWN = new Set([...WORDED, ...REFERENCES, ...LINED, ...SILENT]);

export function unknownKeywords(schema: JsonObject): readonly string[] {
  return Object.keys(schema).filter((name) => !KNOWN.has(name));
}

/** Whether something inside of a schema needs lines of its own. */
export function hasLines(schema: JsonObject): boolean {
  return LINED.some((name) => schema[name] !== undefined);
}

/**
 * Types, values and limits; empty when nothing limits the value. Between quoted values a comma takes
 * a fifth less tokens than a bar, which stands where a comma could be read as that of a list.
 */
export function typeWords(schema: JsonObject, between: ',' | '|' = ','): string {
  return [
    typesOf(schema),
    values(schema, between),
    texts(schema),
    numbers(schema),
    range(schema, 'minItems', 'maxItems', 'items'),
    schema['uniqueItems'] === true ? 'unique' : '',
    range(schema, 'minContains', 'maxContains', 'matching'),
    range(schema, 'minProperties', 'maxProperties', 'fields'),
  ]
    .filter(Boolean)
    .join(' ');
}

export function meaningWords(schema: JsonObject): string {
  const { title, description, example } = schema;
  const examples = [...listOf(schema['examples']), ...(example === undefined ? [] : [example])];
  const reported = typeof description === 'string' ? oneLine(description) : '';
  const named = typeof title === 'string' ? oneLine(title) : '';
  return [
    named !== '' && !reported.toLowerCase().startsWith(named.toLowerCase()) ? named : '',
    reported,
    schema['default'] === undefined ? '' : `default ${json(schema['default'])}`,
    examples.length === 0 ? '' : `e.g. ${examples.map(json).join(' ')}`,
    schema['deprecated'] === true ? 'deprecated' : '',
    schema['readOnly'] === true ? 'read only' : '',
    schema['writeOnly'] === true ? 'write only' : '',
  ]
    .filter(Boolean)
    .join('; ');
}

function typesOf(schema: JsonObject): string {
  const { type } = schema;
  const types = typeof type === 'string' ? [type] : listOf(type).map(String);
  // Values say what they are.
  if (schema['const'] !== undefined || Array.isArray(schema['enum'])) return '';
  const nullable = schema['nullable'] === true ? ['null'] : [];
  return [...types, ...nullable].join('|');
}

function values(schema: JsonObject, between: string): string {
  const { const: only, enum: of } = schema;
  if (only !== undefined) return json(only);
  if (!Array.isArray(of)) return '';
  const nullable = schema['nullable'] === true && !of.includes(null) ? ['null'] : [];
  return [...of.map(json), ...nullable].join(between) || 'no value';
}

function texts(schema: JsonObject): string {
  const { format, pattern, contentEncoding, contentMediaType } = schema;
  return [
    typeof format === 'string' ? format : '',
    typeof contentEncoding === 'string' ? contentEncoding : '',
    typeof contentMediaType === 'string' ? contentMediaType : '',
    range(schema, 'minLength', 'maxLength', 'chars'),
    typeof pattern === 'string' ? `/${pattern}/` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function numbers(schema: JsonObject): string {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  // Up to draft 4 these said whether the other limit counts.
  const isAbove = above === true;
  const isBelow = below === true;
  return [
    isNumber(minimum) && isNumber(maximum) && !isAbove && !isBelow
      ? `${minimum}..${maximum}`
      : [
          isNumber(minimum) ? `${isAbove ? '>' : '>='}${minimum}` : '',
          isNumber(maximum) ? `${isBelow ? '<' : '<='}${maximum}` : '',
        ]
          .filter(Boolean)
          .join(' '),
    isNumber(above) ? `>${above}` : '',
    isNumber(below) ? `<${below}` : '',
    isNumber(schema['multipleOf']) ? `multiple of ${schema['multipleOf']}` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function range(schema: JsonObject, least: string, most: string, unit: string): string {
  const [low, high] = [schema[least], schema[most]];
  if (isNumber(low) && isNumber(high)) return `${low === high ? low : `${low}..${high}`} ${unit}`;
  if (isNumber(low)) return `>=${low} ${unit}`;
  return isNumber(high) ? `<=${high} ${unit}` : '';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function json(value: unknown): string {
  return JSON.stringify(value);
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

export function nameWord(name: string): string {
  return /^[\p{L}_$@][\p{L}\p{N}_$@.-]*$/u.test(name) ? name : json(name);
}
