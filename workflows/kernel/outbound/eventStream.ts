/** Server-sent events as they come (HTML, 9.2): any line ending, several `data` lines, comments. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

export interface EventReader {
  /** The events that these bytes complete. */
  push(bytes: Uint8Array): readonly StreamEvent[];
  /** Returns the events left when the stream ends; servers forget the last blank line. */
  end(): readonly StreamEvent[];
}

export function openEvents(): EventReader {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let event = '';
  let data: string[] = [];
  const dispatch = (): readonly StreamEvent[] => {
    const done = data.length === 0 ? [] : [{ event: event || 'message', data: data.join('\n') }];
    event = '';
    data = [];
    return done;
  };
  const line = (text: string): readonly StreamEvent[] => {
    if (text === '') return dispatch();
    const [, name = '', value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(text) ?? [];
    if (name === 'data') data.push(value);
    if (name === 'event') event = value;
    return [];
  };
  return {
    push(bytes) {
      rest += decoder.decode(bytes, { stream: true });
      // A carriage return at the very end may be the first half of one line ending.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      return lines.flatMap(line);
    },
    end: () => [...line(rest.replace(/\r$/, '')), ...dispatch()],
  };
}
