import { html, prose, type Html } from '../../server/pages/html.ts';
import type { Schema } from '../generate/document.ts';

/** Levels of objects that are written in place; deeper ones have their type alone. */
const LEVELS_MAX = 4;

/** Describes an object's fields, or the rules of a value. References are links to their schemas. */
export function shapeOf(schema: Schema, level = 0): Html {
  const fields = fieldsOf(schema, level);
  const item = schema.items === undefined ? html`` : shapeOf(schema.items, level);
  const choices = (schema.oneOf ?? schema.anyOf ?? []).map(
    (choice) =>
      html`<li>${typeOf(choice)}${isNamed(choice) ? html`` : shapeOf(choice, level)}</li>`,
  );
  const oneOf =
    choices.length === 0
      ? html``
      : html`<p>One of:</p>
          <ul>
            ${choices}
          </ul>`;
  return html`${fields}${oneOf}${isNamed(schema.items ?? {}) ? html`` : item}`;
}

function fieldsOf({ properties = {}, required = [] }: Schema, level: number): Html {
  const names = Object.keys(properties);
  if (names.length === 0 || level >= LEVELS_MAX) return html``;
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      html`<dt>
          <code>${name}</code> <span class="type">${typeOf(field)}</span> ${
            required.includes(name) ? html`<b>required</b>` : html``
          }
        </dt>
        <dd>${saysOf(field)}${isNamed(field) ? html`` : shapeOf(field, level + 1)}</dd>`,
  );
  return html`<dl class="fields">${rows}</dl>`;
}

export function saysOf(schema: Schema): Html {
  const says = typeof schema['description'] === 'string' ? schema['description'] : '';
  const limits = limitsOf(schema);
  const values = (schema.enum ?? []).map((value) => html`<code>${String(value)}</code> `);
  return html`${says === '' ? html`` : html`<p>${prose(says)}</p>`}${
    values.length === 0 ? html`` : html`<p class="limits">One of ${values}</p>`
  }${limits === '' ? html`` : html`<p class="limits">${limits}</p>`}`;
}

const LIMITS: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  minLength: 'characters at least',
  maxLength: 'characters at most',
  minItems: 'items at least',
  maxItems: 'items at most',
  default: 'otherwise',
  pattern: 'matches',
  format: 'format',
};

function limitsOf(schema: Schema): string {
  return Object.entries(LIMITS)
    .flatMap(([name, words]) => {
      const value = schema[name];
      return value === undefined ? [] : [`${words} ${asText(value)}`];
    })
    .join('; ');
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function typeOf(schema: Schema): Html {
  const name = nameOf(schema);
  if (name !== undefined) return html`<a href="#schema.${name}">${name}</a>`;
  if (schema.type === 'array') return html`list of ${typeOf(schema.items ?? {})}`;
  if ('const' in schema) return html`<code>${JSON.stringify(schema['const'])}</code>`;
  if (schema.oneOf !== undefined || schema.anyOf !== undefined) return html`one of several`;
  const map = schema['additionalProperties'];
  if (typeof map === 'object' && map !== null) return html`map of ${typeOf(map as Schema)}`;
  return html`${[schema.type ?? 'any JSON'].flat().join(' or ')}`;
}

function nameOf({ $ref: reference }: Schema): string | undefined {
  return reference?.split('/').at(-1);
}

const isNamed = (schema: Schema): boolean => schema.$ref !== undefined;

/** Names of the schemas that a value leads to, through everything inside of it. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = nameOf(value as Schema);
  return [...(own === undefined ? [] : [own]), ...Object.values(value).flatMap(namesIn)];
}
