import { isRecord, jsonOr } from '../publish/conditions.ts';

/** Links that open the form of an operation with values in it. */
const LINK_LETTERS_MAX = 6_000;
const PREFIX = 'v.';

type Texts = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>>;

/** The query of the form's address; without the values where it would be too long to share. */
export function linkFor(id: string, values: Texts, content?: Fields): Record<string, string> {
  const query = { operation: id };
  const fields = Object.entries(values).map(([name, value]) => [`${PREFIX}${name}`, value]);
  const body = content === undefined ? {} : { body: JSON.stringify(content) };
  const whole = { ...query, ...(Object.fromEntries(fields) as Texts), ...body };
  return JSON.stringify(whole).length > LINK_LETTERS_MAX ? query : whole;
}

/** The values of a form that a link has. */
export function linkedValues(query: Texts): Texts {
  const own = Object.entries(query).filter(([name]) => name.startsWith(PREFIX));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(PREFIX.length), value]));
}

/**
 * The body that a link has, laid out as the form does, with the account of this browser where the
 * link has none; a text that is no JSON is shown as it came.
 */
export function linkedBody(query: Texts, owner = '', own?: string): string | undefined {
  const text = query['body'];
  const read = text === undefined ? undefined : jsonOr(text, undefined);
  if (!isRecord(read)) return text;
  const [place, name = ''] = owner.split('.');
  const isFilled = place === 'body' && own !== undefined && read[name] === undefined;
  return JSON.stringify(isFilled ? { [name]: own, ...read } : read, null, 2);
}
