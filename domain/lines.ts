/**
 * Lines ended by CR, LF or CRLF, wherever the chunks are cut; the last one may lack its end. U+2028
 * ends none: JSON has it as it is, and `node:readline` ends a line there from Node 24 on.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let endedWithCr = false;
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true });
    if (text === '') continue;
    if (endedWithCr && text.startsWith('\n')) text = text.slice(1);
    endedWithCr = text === '' ? false : text.endsWith('\r');
    const whole = (rest + text.replace(/\r\n?/g, '\n')).split('\n');
    rest = whole.pop() ?? '';
    yield* whole;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
