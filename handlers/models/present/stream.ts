/** Headers of a stream: no proxy may cache, buffer or compress it. */
export const STREAM_HEADERS = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;
