import { eachOperation, type Document } from '../generate/document.ts';

/** An area of the contract, with the groups in which a reader looks where it is a long one. */
export interface Area {
  readonly name: string;
  readonly description: string;
  readonly 'x-groups'?: Readonly<Record<string, readonly string[]>>;
}

export type Placed = ReturnType<typeof eachOperation>[number];

interface Group {
  /** Undefined for an area without groups. */
  readonly title: string | undefined;
  readonly operations: readonly Placed[];
}

export function groupsOf(document: Document, area: Area): readonly Group[] {
  const own = eachOperation(document).filter(({ operation }) => operation.tags[0] === area.name);
  const groups = area['x-groups'];
  if (groups === undefined) return [{ title: undefined, operations: own }];
  return Object.entries(groups).map(([title, names]) => ({
    title,
    operations: names.flatMap((name) =>
      own.filter(({ operation }) => operation.operationId === `${area.name}.${name}`),
    ),
  }));
}
