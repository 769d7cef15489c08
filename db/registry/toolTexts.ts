import * as column from '../columns.ts';
import { linkOf, type Reader } from '../connection.ts';
import { inListStatement } from '../inList.ts';

interface ToolText {
  readonly name: string;
  readonly description: string;
}

/** Makes a reader of the first tools of listings, by listing; descriptions may be cut. */
export function toolReader(
  most: number,
  letters?: number,
): (db: Reader, ids: readonly string[]) => Promise<ReadonlyMap<string, readonly ToolText[]>> {
  const description =
    letters === undefined ? 'description' : `substr(description, 1, ${letters}) AS description`;
  const tools = inListStatement(
    (given) => `SELECT listing_id, name, ${description} FROM listing_skills
      WHERE listing_id ${given} AND place < ${most} ORDER BY listing_id, place`,
  );
  return async (db, ids) => {
    const found = new Map<string, ToolText[]>();
    for (const row of await linkOf(db).rows(tools, [ids])) {
      const id = column.text(row, 'listing_id');
      const tool = { name: column.text(row, 'name'), description: column.text(row, 'description') };
      const known = found.get(id);
      if (known === undefined) found.set(id, [tool]);
      else known.push(tool);
    }
    return found;
  };
}
