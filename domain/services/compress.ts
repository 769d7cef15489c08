import { protectedSpans } from './protectedSpans.ts';
import { head } from '../text.ts';

/**
 * Compression by rule: what a prompt can do without is left out, and what is protected is never
 * touched. Nothing is reordered and no word is put in that the writer did not mean.
 */
export interface Compressed {
  readonly text: string;
  readonly dropped: readonly string[];
}

/** Courtesy and padding; each match is replaced by its second item. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:hi|hello|hey|dear)(?: there)?(?: (?:assistant|ai|team))?[,!.] ?/gi, ''],
  [/\b(?:could|would|can|will) you (?:please )?(?:be so kind as to |kindly )?/gi, ''],
  [/\bi(?: would|['’]d) (?:really )?(?:like|love|want) (?:for )?you to /gi, ''],
  [/\bi (?:want|need) you to /gi, ''],
  [/\bi(?: would|['’]d) appreciate it if you (?:could |would )?/gi, ''],
  [/\b(?:please|kindly) (?:make sure (?:that |to )|ensure that )/gi, ''],
  [/\b(?:,? ?if (?:you could|possible|you don['’]t mind|that['’]s ok(?:ay)?))\b/gi, ''],
  [/\bplease(?: note that)?\b,? ?/gi, ''],
  [/\bkindly /gi, ''],
  [
    /\b(?:many )?thank(?:s(?! to\b)| you)(?: (?:so|very) much| a lot)?(?: in advance)?\b[.!]? ?/gi,
    '',
  ],
  [/\b(?:it is|it['’]s) (?:important|worth|crucial) to (?:note|mention|remember) that /gi, ''],
  [/\b(?:basically|actually|really|very|quite|simply|just|literally|honestly),? /gi, ''],
  [/\bin order to\b/gi, 'to'],
  [/\bdue to the fact that\b/gi, 'because'],
  [/\b(?:at this point in time|at the present time)\b/gi, 'now'],
  [/\bin the event that\b/gi, 'if'],
  [/\bfor the purpose of\b/gi, 'for'],
  [/\b(?:a large number of|a lot of|lots of)\b/gi, 'many'],
  [/\bwith (?:regard|respect) to\b/gi, 'about'],
  [/\bmake use of\b/gi, 'use'],
  [/\b(?:each and every|every single)\b/gi, 'every'],
  [/\bnext to each of them\b/gi, 'with each'],
  [/\b(?:as well as)\b/gi, 'and'],
  [/\bis able to\b/gi, 'can'],
  [/\bmake a list of\b/gi, 'list'],
  [/\b(?:por favor|s['’]il vous plaît|s['’]il te plaît|per favore|bitte|alstublieft)\b,? ?/gi, ''],
  [/[ \t]{2,}/g, ' '],
  [/[ \t]+$/gm, ''],
  [/\n{3,}/g, '\n\n'],
];
const DROPPED_MAX = 200;
const DROPPED_LENGTH_MAX = 200;
/** Stands for a protected span while the rules run; no text of a caller holds it. */
const MARK = '\ue000';

/** Goes a rule at a time; who drives it lets others have their turn between. */
export function* compressByRule(source: string): Generator<undefined, Compressed> {
  if (source.includes(MARK)) return { text: source, dropped: [] };
  const spans = protectedSpans(source);
  yield;
  let masked = '';
  let from = 0;
  for (const { start, end } of spans) {
    masked += `${source.slice(from, start)}${MARK}`;
    from = end;
  }
  masked += source.slice(from);
  const dropped: string[] = [];
  for (const [pattern, instead] of RULES) {
    masked = masked.replace(pattern, (found) => {
      const text = found.trim();
      if (text !== '' && text !== instead && dropped.length < DROPPED_MAX) {
        dropped.push(head(text, DROPPED_LENGTH_MAX));
      }
      return instead;
    });
    yield;
  }
  let next = 0;
  const text = masked.trim().replaceAll(MARK, () => {
    const span = spans[next];
    next += 1;
    return span === undefined ? '' : source.slice(span.start, span.end);
  });
  return text === '' ? { text: source.trim(), dropped: [] } : { text, dropped };
}

/** Words that only one of these languages has so often; a vote, not a proof. */
const COMMON: Readonly<Record<string, readonly string[]>> = {
  en: ['the', 'and', 'of', 'is', 'that', 'for', 'with', 'this', 'are', 'you', 'to', 'a', 'in'],
  de: ['der', 'die', 'und', 'das', 'ist', 'nicht', 'ein', 'eine', 'mit', 'für', 'auf', 'ich'],
  fr: ['le', 'les', 'et', 'des', 'est', 'une', 'pour', 'dans', 'vous', 'avec', 'sur', 'du'],
  es: ['el', 'los', 'y', 'es', 'una', 'para', 'con', 'por', 'las', 'del', 'que', 'lista'],
  it: ['il', 'gli', 'e', 'di', 'una', 'per', 'con', 'che', 'sono', 'del', 'della', 'nel'],
  pt: ['os', 'uma', 'para', 'com', 'não', 'do', 'da', 'em', 'você', 'dos', 'das', 'ao'],
  nl: ['het', 'een', 'van', 'en', 'niet', 'voor', 'met', 'zijn', 'op', 'ik', 'dat', 'je'],
};
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\u3040-\u30ff]/],
  ['ko', /[\uac00-\ud7af]/],
  ['zh', /[\u4e00-\u9fff]/],
  ['ru', /[\u0400-\u04ff]/],
  ['ar', /[\u0600-\u06ff]/],
  ['el', /[\u0370-\u03ff]/],
  ['he', /[\u0590-\u05ff]/],
  ['hi', /[\u0900-\u097f]/],
];
const READ_MAX = 8_192;

/** The language of a text as an ISO 639 code; `und` when it is unclear. */
export function languageOf(text: string): string {
  const read = text.slice(0, READ_MAX).toLowerCase();
  const script = SCRIPTS.find(([, letters]) => letters.test(read));
  if (script !== undefined) return script[0];
  const words = read.match(/\p{L}+/gu) ?? [];
  const votes = Object.entries(COMMON).map(([language, common]): [string, number] => [
    language,
    words.filter((word) => common.includes(word)).length,
  ]);
  const [best, second] = votes.sort(([, a], [, b]) => b - a);
  if (best === undefined || best[1] === 0 || best[1] === second?.[1]) return 'und';
  return best[0];
}
