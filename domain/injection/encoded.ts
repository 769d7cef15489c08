/** Decodes base64, hex, percent signs, HTML entities and Unicode tags into readable words, once. */
export interface DecodedRun {
  readonly start: number;
  readonly end: number;
  readonly decoded: string;
}

const DECODED_MAX = 4_000;
const BASE64 = /[A-Za-z0-9+/_-]{24,8000}/g;
const HEX = /^(?:[0-9a-f]{2})+$/i;
const WORD = /\S{6,4000}/g;
const PERCENT = /%[0-9a-f]{2}/gi;
const ENTITY = /&#(x?)([0-9a-f]{1,6});/gi;
const SIGNS_MIN = 3;
const TAGS = /[\u{e0020}-\u{e007e}]{6,4000}/gu;

export function decodedRuns(text: string): readonly DecodedRun[] {
  return [
    ...runsOf(text, BASE64, (run) => bytesText(run, HEX.test(run) ? 'hex' : 'base64')),
    ...runsOf(text, WORD, (word) => signsText(word)),
    ...runsOf(text, TAGS, (tags) =>
      Array.from(tags, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)).join(''),
    ),
  ];
}

function runsOf(
  text: string,
  form: RegExp,
  decode: (run: string) => string | undefined,
): readonly DecodedRun[] {
  return Array.from(text.matchAll(form)).flatMap(({ 0: run, index }) => {
    const decoded = decode(run)?.slice(0, DECODED_MAX);
    return decoded === undefined ? [] : [{ start: index, end: index + run.length, decoded }];
  });
}

/** Readable text is nearly all letters and spaces; pictures and digests are not. */
function bytesText(run: string, code: 'base64' | 'hex'): string | undefined {
  const text = Buffer.from(run, code).toString('utf8');
  const readable = text.match(/[\p{L}\p{N}\p{P} \n]/gu)?.length ?? 0;
  const isText = text.includes(' ') && readable >= [...text].length * 0.95;
  return isText ? text : undefined;
}

function signsText(word: string): string | undefined {
  if (countOf(word, PERCENT) >= SIGNS_MIN) {
    return word.replace(PERCENT, (sign) => charOf(parseInt(sign.slice(1), 16)));
  }
  if (countOf(word, ENTITY) >= SIGNS_MIN) {
    return word.replace(ENTITY, (_, x: string, code: string) =>
      charOf(parseInt(code, x === '' ? 10 : 16)),
    );
  }
  return undefined;
}

function countOf(word: string, sign: RegExp): number {
  return word.match(sign)?.length ?? 0;
}

function charOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
