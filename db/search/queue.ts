import { integer, oneOf, text } from '../batch/columns.ts';
import type { RowIn } from '../batch/table.ts';
import * as column from '../columns.ts';
import { linkOf, statement, type Reader, type Row } from '../connection.ts';
import { inListStatement } from '../inList.ts';
import { table } from '../batch/table.ts';
import { isPackageId } from '../../domain/registry/serverPackage.ts';
import {
  commentDocument,
  listingDocuments,
  packageDocument,
  taskDocument,
  type Document,
  type SkillText,
} from '../../domain/search/documents.ts';

/** A thing that was written since it was last indexed; triggers queue it. */
export const SEARCH_QUEUE = table(
  'search_queue',
  {
    kind: oneOf(['listing', 'task', 'comment']).key(),
    ref: text().key(),
    /** Counts the changes, so that one made meanwhile is not taken for done. */
    stamp: integer(),
  },
  { use: 'single', personal: { apart: 'about no account' } },
);
export type Queued = RowIn<typeof SEARCH_QUEUE>;

const NEXT = statement(`
  SELECT * FROM search_queue WHERE (kind, ref) > (?, ?)
  ORDER BY kind, ref LIMIT ?`);

/** The first of the queue, or those behind an entry. */
export async function queued(
  db: Reader,
  limit: number,
  after: Pick<Queued, 'kind' | 'ref'> | undefined,
): Promise<readonly Queued[]> {
  const rows = await linkOf(db).rows(NEXT, [after?.kind ?? '', after?.ref ?? '', limit]);
  return rows.map(SEARCH_QUEUE.fromRow);
}

/** The documents of what is queued, as it is now; what is gone or has no text has none. */
export async function documentsFor(
  db: Reader,
  entries: readonly Queued[],
): Promise<readonly Document[]> {
  const refs = (kind: Queued['kind']): readonly string[] =>
    entries.filter((each) => each.kind === kind).map(({ ref }) => ref);
  return [
    ...(await ofListings(db, refs('listing'))),
    ...(await ofPackages(db, refs('listing').filter(isPackageId))),
    ...(await ofTasks(db, refs('task'))),
    ...(await ofComments(db, refs('comment'))),
  ];
}

const LISTINGS = inListStatement(
  (given) => `SELECT id, name, description, host, answers, karma, reach FROM listings
    WHERE id ${given}`,
);
const SKILLS = inListStatement(
  (given) => `SELECT listing_id, place, name, description, tags FROM listing_skills
    WHERE listing_id ${given} ORDER BY listing_id, place`,
);
/** The brief of a private task is for its parties (choices tasks.privacy). */
const SHOWN_DESCRIPTION = `CASE WHEN audience IS NULL THEN description ELSE '' END`;
const TASKS = inListStatement(
  (
    given,
  ) => `SELECT id, title, ${SHOWN_DESCRIPTION} AS description, required_skills, tags FROM tasks
    WHERE id ${given}`,
);
const COMMENTS = inListStatement(
  (given) => `SELECT c.id, c.body FROM comments c JOIN tasks t ON t.id = c.task_id
    WHERE t.audience IS NULL AND c.id ${given}`,
);

async function ofListings(db: Reader, ids: readonly string[]): Promise<readonly Document[]> {
  if (ids.length === 0) return [];
  const listings = await linkOf(db).rows(LISTINGS, [ids]);
  const skills = new Map<string, SkillText[]>();
  for (const row of await linkOf(db).rows(SKILLS, [ids])) {
    const id = column.text(row, 'listing_id');
    const list = skills.get(id);
    if (list === undefined) skills.set(id, [skillText(row)]);
    else list.push(skillText(row));
  }
  return listings.flatMap((row) => {
    const id = column.text(row, 'id');
    return listingDocuments({
      id,
      name: column.text(row, 'name'),
      description: column.textOrNull(row, 'description') ?? '',
      host: column.text(row, 'host'),
      skills: skills.get(id) ?? [],
      standing: {
        answers: column.whole(row, 'answers') === 1,
        karma: column.whole(row, 'karma'),
        reach: column.whole(row, 'reach'),
      },
    });
  });
}

const PACKAGES = inListStatement(
  (given) => `SELECT id, name, title, description, identifier FROM server_packages
    WHERE id ${given}`,
);

/** Packages share the kind of listings, so that a process of an earlier release reads past them. */
async function ofPackages(db: Reader, ids: readonly string[]): Promise<readonly Document[]> {
  if (ids.length === 0) return [];
  return (await linkOf(db).rows(PACKAGES, [ids])).map((row) =>
    packageDocument({
      id: column.text(row, 'id'),
      name: column.text(row, 'name'),
      title: column.text(row, 'title'),
      description: column.text(row, 'description'),
      identifier: column.text(row, 'identifier'),
    }),
  );
}

function skillText(row: Row): SkillText {
  return {
    place: column.whole(row, 'place'),
    name: column.text(row, 'name'),
    description: column.text(row, 'description'),
    tags: column.json(row, 'tags') as readonly string[],
  };
}

async function ofTasks(db: Reader, ids: readonly string[]): Promise<readonly Document[]> {
  if (ids.length === 0) return [];
  return (await linkOf(db).rows(TASKS, [ids])).map((row) =>
    taskDocument({
      id: column.text(row, 'id'),
      title: column.text(row, 'title'),
      description: column.text(row, 'description'),
      labels: [
        ...(column.json(row, 'required_skills') as readonly string[]),
        ...(column.json(row, 'tags') as readonly string[]),
      ],
    }),
  );
}

async function ofComments(db: Reader, ids: readonly string[]): Promise<readonly Document[]> {
  if (ids.length === 0) return [];
  return (await linkOf(db).rows(COMMENTS, [ids])).flatMap((row) => {
    const body = column.textOrNull(row, 'body');
    return body === null ? [] : [commentDocument(column.text(row, 'id'), body)];
  });
}
