import assert from 'node:assert/strict';
import { document as read } from '../../harness/contract.ts';
import {
  eachOperation,
  parametersOf,
  resolve,
  type Document,
  type Response,
  type Schema,
} from '../../../tools/generate/document.ts';

/**
 * Generators of SDKs call a component by its name, and what has none by the way to it: parent,
 * member, `Item`. Such names are what a programmer reads and types.
 */
const LETTERS_MAX = 40;
const document = read as unknown as Document;

function upper(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) =>
    first.toUpperCase(),
  );
}

/** The name of a schema, and of every class and every value of an enumeration inside it. */
function namesOf(schema: Schema, name: string): readonly string[] {
  if (schema.$ref !== undefined) return [];
  const { properties = {}, items, additionalProperties, oneOf = [] } = schema;
  const values = (schema.enum ?? []).filter((value) => value !== null);
  const isEnum = values.length > 0 || schema['const'] !== undefined;
  const isClass = schema.properties !== undefined || oneOf.length > 0;
  return [
    ...(isEnum || isClass ? [name] : []),
    ...values.map((value) => name + upper(String(value))),
    ...Object.entries(properties).flatMap(([member, each]) => namesOf(each, name + upper(member))),
    ...(items === undefined ? [] : namesOf(items, `${name}Item`)),
    ...(typeof additionalProperties === 'object'
      ? namesOf(additionalProperties as Schema, `${name}AdditionalProperty`)
      : []),
    ...oneOf.flatMap((branch, at) => namesOf(branch, `${name}Type${at}`)),
  ];
}

function allNames(): readonly string[] {
  const components = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    namesOf(schema, name),
  );
  const operations = eachOperation(document).flatMap(({ operation }) => {
    const id = upper(operation.operationId);
    const parameters = parametersOf(document, operation).flatMap(({ name, schema }) =>
      namesOf(schema, id + upper(name)),
    );
    const answers = Object.entries(operation.responses).flatMap(([status, reference]) =>
      Object.values(resolve<Response>(document, reference).content ?? {}).flatMap(({ schema }) =>
        namesOf(schema ?? {}, `${id}Response${status}`),
      ),
    );
    return [`${id}Responses`, ...parameters, ...answers];
  });
  return [...components, ...operations];
}

describe('names of generated SDKs', () => {
  it(`have at most ${LETTERS_MAX} letters`, () => {
    const names = allNames();
    assert.ok(names.includes('TaskState'));
    assert.deepEqual(
      names.filter((name) => name.length > LETTERS_MAX),
      [],
      'give what has the long name a component of its own',
    );
  });

  it('are not those of a component for something inside another one', () => {
    const { schemas } = document.components;
    const inside = Object.entries(schemas).flatMap(([name, schema]) =>
      namesOf(schema, name).filter((each) => each !== name),
    );
    assert.deepEqual(
      inside.filter((name) => name in schemas),
      [],
      'oapi-codegen and ogen refuse a document that gives two types one name',
    );
  });

  it('belong to the items of every list that stands beside another form', () => {
    const all = JSON.stringify(document).matchAll(/"oneOf":(\[[^[\]]*"type":"array"[^\]]*\])/g);
    const nameless = [...all].filter(([text]) => /"items":\{[^{}]*"type":"object"/.test(text));
    assert.deepEqual(
      nameless.map(([text]) => text),
      [],
      'openapi-generator makes Java of it that no compiler takes',
    );
  });

  it('are made of the way to what has none', () => {
    const inside = { items: { properties: { why: { enum: ['too-late'] } } } };
    assert.deepEqual(namesOf(inside, 'Call'), ['CallItem', 'CallItemWhy', 'CallItemWhyTooLate']);
  });
});
