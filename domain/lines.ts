/** Line ends of a format: a line feed alone, or CR and CRLF too, as in event streams (HTML 9.2). */
export type LineEnds = 'lf' | 'any';

/**
 * Lines wherever the chunks are cut; the last one may lack its end. U+2028 ends none: JSON has it as
 * it is, and `node:readline` ends a line there from Node 24 on. With `lf` a CR is a character.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  ends: LineEnds = 'lf',
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let endedWithCr = false;
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    if (ends === 'any') {
      if (endedWithCr && text.startsWith('\n')) text = text.slice(1);
      endedWithCr = text === '' ? false : text.endsWith('\r');
      text = text.replace(/\r\n?/g, '\n');
    }
    const whole = (rest + text).split('\n');
    rest = whole.pop() ?? '';
    yield* whole;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

/** Readers of other languages end a line at these, and JSON writes them as they are in a string. */
const RAW_ENDS = /[\u0085\u2028\u2029]/g;
/** Between the tokens of a JSON text; within a string they are escaped. */
const BREAKS = /[\r\n]+/g;

/** Returns a JSON text of the same value that is one line for every reader (pipeline.lines). */
export function oneLine(json: string): string {
  return json.replace(BREAKS, ' ').replace(RAW_ENDS, escapedUnit);
}

/** The escape of a character in JSON. */
export function escapedUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
