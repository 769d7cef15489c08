import { linesOf } from '../../domain/lines.ts';

/** Readers for the two streams of the contract. Leaving the loop early closes the connection. */

/** One server-sent event, as the HTML standard dispatches it. */
export interface SseEvent {
  /** `message` when the stream named none. */
  readonly event: string;
  /** The data lines joined by a line feed; the hub's are JSON. */
  readonly data: string;
  /** The last event id seen so far; empty when none was sent. */
  readonly id: string;
}

/** Values of newline-delimited JSON (`parseAs: 'stream'`); nothing checks them against `Line`. */
export async function* ndjson<Line = unknown>(response: Response): AsyncGenerator<Line> {
  for await (const line of linesOf(chunksOf(response)))
    if (line.trim() !== '') yield JSON.parse(line) as Line;
}

/** Events of a `text/event-stream` (`parseAs: 'stream'`); an event that broke off is dropped. */
export async function* sseEvents(response: Response): AsyncGenerator<SseEvent> {
  let event = '';
  let id = '';
  let data: string[] = [];
  for await (const line of linesOf(chunksOf(response), 'any')) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n'), id };
      event = '';
      data = [];
      continue;
    }
    // A line that starts with a colon has the empty name, and nothing asks for that: a comment.
    const [name, value] = fieldOf(line);
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
    else if (name === 'id' && !value.includes('\0')) id = value;
  }
}

function fieldOf(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  if (colon < 0) return [line, ''];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

/** Not every browser iterates a body by itself. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
