/** Of a stream: nobody between keeps it, holds it back or squeezes it. */
export const STREAM_HEADERS = {
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;
