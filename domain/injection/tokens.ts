/**
 * The words of a text with their places, folded so that disguises fall off: width, accents,
 * invisible characters, look-alikes, digits for letters, spaced letters. One pass over the text.
 */
export interface Token {
  /** Folded: small letters without accents. */
  readonly word: string;
  /** In UTF-16 units of the text as it was given. */
  readonly start: number;
  readonly end: number;
  /** Tokens of one sentence share a number. */
  readonly sentence: number;
  /** The first of its sentence or line. */
  readonly leads: boolean;
  /** The next character that is no space. */
  readonly next: string;
}

const WORD = /[\p{L}\p{M}\p{N}@$_\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/gu;
const UNSEEN = /[\u0300-\u036f\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;
const BREAK = /[.!?;](?:\s|$)|\n|[。！？।]/u;
const WORD_LENGTH_MAX = 200;
/** Cyrillic and Greek letters that look like Latin ones. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [...'аaеeоoрpсcхxуyіiјjѕsһhԁdԛqԝwвbкkмmнhтtοoαaιiρpνvκkυu'].flatMap((letter, place, all) =>
    place % 2 === 0 ? [[letter, all[place + 1] ?? ''] as const] : [],
  ),
);
const DIGITS: ReadonlyMap<string, string> = new Map(
  [...'0o1i3e4a5s7t@a$s'].flatMap((sign, place, all) =>
    place % 2 === 0 ? [[sign, all[place + 1] ?? ''] as const] : [],
  ),
);

export function folded(word: string): string {
  const plain = word.normalize('NFKD').replace(UNSEEN, '').normalize('NFC').toLowerCase();
  if (!/[a-z]/.test(plain)) return plain;
  const isMixed = /[\u0370-\u04ff]/.test(plain);
  const latin = isMixed ? mapped(plain, LOOK_ALIKES) : plain;
  // Digits stand for letters in words only: `sha256`, `v1` and long addresses stay what they are.
  return /^(?=.*[a-z].*[a-z])[a-z013457@$]{2,30}$/.test(latin) && /[013457@$](?=[a-z])/.test(latin)
    ? mapped(latin, DIGITS)
    : latin;
}

function mapped(word: string, map: ReadonlyMap<string, string>): string {
  return [...word].map((letter) => map.get(letter) ?? letter).join('');
}

export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let sentence = 0;
  let end = 0;
  for (const { 0: raw, index: start } of text.matchAll(WORD)) {
    const gap = text.slice(end, start);
    const breaks = BREAK.test(gap.slice(0, WORD_LENGTH_MAX));
    if (breaks && !goesOn(gap, raw)) sentence += 1;
    const previous = tokens.at(-1);
    if (previous !== undefined && previous.next === '') {
      tokens[tokens.length - 1] = { ...previous, next: firstSign(gap) };
    }
    end = start + raw.length;
    for (const part of raw.slice(0, WORD_LENGTH_MAX).split('_')) {
      const word = folded(part);
      if (word === '') continue;
      const leads = tokens.length === 0 || breaks;
      tokens.push({ word, start, end, sentence, leads, next: '' });
    }
  }
  const last = tokens.at(-1);
  if (last?.next === '') tokens[tokens.length - 1] = { ...last, next: firstSign(text.slice(end)) };
  return joined(tokens);
}

/** One line end, or a full stop without a space, before a small letter: the sentence goes on. */
function goesOn(gap: string, next: string): boolean {
  return /^(?:[^\S\n]*\n[^\S\n]*|\.)$/.test(gap) && /^\p{Ll}/u.test(next);
}

function firstSign(gap: string): string {
  return gap.slice(0, WORD_LENGTH_MAX).trim().slice(0, 1) || ' ';
}

/** Three or more letters in a row that stand apart are one word: `I g n o r e`. */
function joined(tokens: readonly Token[]): readonly Token[] {
  const result: Token[] = [];
  let run: Token[] = [];
  const flush = (): void => {
    const [first] = run;
    const last = run.at(-1);
    if (first !== undefined && last !== undefined && run.length >= 3) {
      const word = folded(run.map((each) => each.word).join(''));
      result.push({ ...last, word, start: first.start, leads: first.leads });
    } else {
      result.push(...run);
    }
    run = [];
  };
  for (const token of tokens) {
    const isLetter = token.end - token.start === 1 && token.word.length === 1;
    const previous = run.at(-1);
    if (previous !== undefined && (!isLetter || token.start - previous.end > 1)) flush();
    if (isLetter) run.push(token);
    else result.push(token);
  }
  flush();
  return result;
}
