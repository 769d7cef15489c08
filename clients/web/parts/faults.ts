import { HubRefusal } from '../../typescript/refusal.ts';
import { problemTexts as P } from '../texts/problems.ts';

/**
 * Returns the refusal of one field in the words of its form. A place such as `body.paths` covers
 * what lies in it. Undefined where the refusal is about something else.
 */
export function faultText(error: unknown, place: string, label: string): string | undefined {
  if (!(error instanceof HubRefusal)) return undefined;
  const { field, body } = error;
  const own = field === undefined ? [] : [{ field, message: body.error, allowed: error.allowed }];
  const found = [...error.faults, ...own].find((each) => isIn(each.field, place));
  if (found === undefined) return undefined;
  const message = found.message.replaceAll('`', '');
  if (/format "?ur[il]|https?:\/\//i.test(message)) return P.scheme;
  const nearest = 'nearest' in found && found.nearest !== undefined ? P.nearest(found.nearest) : '';
  if (message.endsWith(' is required.')) return P.required(label);
  const rest = message.startsWith(found.field)
    ? message.slice(found.field.length).trim()
    : undefined;
  return `${rest === undefined ? message : P.of(label, rest)}${nearest}`;
}

const isIn = (field: string, place: string): boolean =>
  field === place || field.startsWith(`${place}.`) || field.startsWith(`${place}[`);
