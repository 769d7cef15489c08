/** Headers of a stream: no proxy may cache, buffer or compress it. */
const STREAM_HEADERS = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** A reply of events that come one after the other. */
export function eventStream<Body>(body: Body) {
  return { status: 200, type: 'text/event-stream', headers: STREAM_HEADERS, body } as const;
}
