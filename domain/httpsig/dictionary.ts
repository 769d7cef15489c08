import { HTTPSIG_LIMITS } from './limits.ts';
import { trimSpace } from './text.ts';

/**
 * Raw members of a structured dictionary (RFC 9651). Popular parsers keep the last of two equal
 * labels in silence; here the second one is refused.
 */
export type RawDictionary =
  | { readonly ok: true; readonly members: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly why: string };

const LABEL_GRAMMAR = /^[a-z*][a-z0-9_.*-]*$/;

/** Splits at top-level commas; the value texts keep every character between their commas. */
export function rawDictionary(header: string, text: string): RawDictionary {
  if (text.length > HTTPSIG_LIMITS.headerLengthMax) {
    return fault(`${header} is longer than ${HTTPSIG_LIMITS.headerLengthMax} characters`);
  }
  const members = new Map<string, string>();
  for (const member of split(text)) {
    const mark = member.indexOf('=');
    const label = mark === -1 ? member : member.slice(0, mark);
    if (!LABEL_GRAMMAR.test(label)) return fault(`${header} is not a well-formed dictionary`);
    if (members.has(label)) return fault(`${header} names the label ${label} twice`);
    members.set(label, mark === -1 ? '' : member.slice(mark + 1));
    if (members.size > HTTPSIG_LIMITS.labelsMax) {
      return fault(`${header} has more than ${HTTPSIG_LIMITS.labelsMax} labels`);
    }
  }
  return { ok: true, members };
}

/** Commas inside quoted strings do not separate; a backslash takes the next character with it. */
function split(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted && char === '\\') at += 1;
    else if (char === '"') quoted = !quoted;
    else if (char === ',' && !quoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map(trimSpace);
}

function fault(why: string): RawDictionary {
  return { ok: false, why };
}
