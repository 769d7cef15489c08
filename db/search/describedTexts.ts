import { isPackageId } from '../../domain/registry/serverPackage.ts';
import { TOOL_LETTERS_MAX, TOOLS_MAX, type DescribedText } from '../../domain/search/near.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { toolReader } from '../registry/toolTexts.ts';

/** A page of the changes of documents: the listings of it, each once. */
export interface ChangedListings {
  readonly refs: readonly string[];
  /** The last change of the page; the asked one when there is none after it. */
  readonly until: number;
}

const CHANGED = statement(`
  SELECT seq, kind, ref FROM search_documents WHERE seq > ? ORDER BY seq LIMIT ?`);
/** Listings and their tools, as places in `KINDS`. */
const KINDS_MAX = 1;

export async function changedListings(
  db: Reader,
  after: number,
  limit: number,
): Promise<ChangedListings> {
  const rows = await linkOf(db).rows(CHANGED, [after, limit]);
  const last = rows.at(-1);
  const ofListings = rows.filter((row) => column.whole(row, 'kind') <= KINDS_MAX);
  return {
    refs: [...new Set(ofListings.map((row) => column.text(row, 'ref')))],
    until: last === undefined ? after : column.whole(last, 'seq'),
  };
}

const LISTINGS = inListStatement(
  (given) => `SELECT id, name, description FROM listings WHERE id ${given}`,
);
const PACKAGES = inListStatement(
  (given) => `SELECT id, title AS name, description FROM server_packages WHERE id ${given}`,
);
const toolTexts = toolReader(TOOLS_MAX, TOOL_LETTERS_MAX);

/** Returns what listings and packages say of themselves, by id; what is gone is left out. */
export async function describedTexts(
  db: Reader,
  refs: readonly string[],
): Promise<ReadonlyMap<string, DescribedText>> {
  if (refs.length === 0) return new Map();
  const link = linkOf(db);
  const packages = refs.filter(isPackageId);
  const rows = [
    ...(await link.rows(LISTINGS, [refs])),
    ...(packages.length === 0 ? [] : await link.rows(PACKAGES, [packages])),
  ];
  const tools = await toolTexts(db, refs);
  return new Map(
    rows.map((row) => {
      const id = column.text(row, 'id');
      const description = column.textOrNull(row, 'description') ?? '';
      return [id, { name: column.text(row, 'name'), description, tools: tools.get(id) ?? [] }];
    }),
  );
}
