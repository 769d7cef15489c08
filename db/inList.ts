import { statement, type Dialect, type Statement } from './connection.ts';

/** One of a list of texts that travels as one value. */
export const IN_LIST = {
  sqlite: 'IN (SELECT value FROM json_each(?))',
  postgres: '= ANY(?::text[])',
} as const;

export function inListStatement(text: (given: string, dialect: Dialect) => string): Statement {
  return statement(text(IN_LIST.sqlite, 'sqlite'), text(IN_LIST.postgres, 'postgres'));
}
