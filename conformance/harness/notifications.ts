import pg from 'pg';

/** Drops every NOTIFY that this process would send. `end` restores them and counts the lost ones. */
export function loseNotifications(): { end(): number } {
  const prototype = pg.Client.prototype as unknown as Record<
    'query',
    (...given: readonly unknown[]) => unknown
  >;
  const { query } = prototype;
  let lost = 0;
  prototype.query = function kept(this: object, ...given) {
    const text = textOf(given[0]);
    if (!text.includes('pg_notify')) return query.apply(this, [...given]);
    lost += 1;
    return Promise.resolve({ rows: [], command: 'SELECT' });
  };
  return {
    end() {
      prototype.query = query;
      return lost;
    },
  };
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const hasText = typeof query === 'object' && query !== null && 'text' in query;
  return hasText ? String(query.text) : '';
}
