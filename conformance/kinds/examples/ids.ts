import { deref, operations, type Json } from '../../harness/contract.ts';
import { at } from '../../harness/must.ts';

/** An id of the hub in an example of a request. */
export interface ExampleId {
  readonly operationId: string;
  /** `taskId`, from the name of the member or from the path before it: `/tasks/{id}`. */
  readonly kind: string;
  readonly id: string;
}

export const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
}

export const exampleIds: readonly ExampleId[] = operations.flatMap(({ operationId, path, raw }) => {
  const parameters = (raw['parameters'] ?? []) as readonly unknown[];
  const inPath = parameters.flatMap((each) => {
    const { name, in: place, example } = deref<Parameter>(each);
    const kind = place === 'path' && name === 'id' ? kindBefore(path, '{id}') : name;
    return idsIn(example, kind);
  });
  const body = at(raw, 'requestBody', 'content', 'application/json', 'example');
  return [...inPath, ...idsIn(body, 'id')].map((each) => ({ operationId, ...each }));
});

const idByKind = new Map(exampleIds.map(({ kind, id }) => [kind, id]));

/** The example id of what a path names before it; a task's where that is not known. */
export function idBehind(text: string): string {
  return idByKind.get(kindBefore(text, '')) ?? String(idByKind.get('taskId'));
}

/** The name that a member with this id has: the segment in the singular, in camel case, and `Id`. */
function kindBefore(path: string, placeholder: string): string {
  const [, segment = ''] = new RegExp(`([a-z-]+)s/${placeholder}`).exec(path) ?? [];
  return `${segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`;
}

function idsIn(value: unknown, kind: string): readonly Omit<ExampleId, 'operationId'>[] {
  if (typeof value === 'string')
    return UUID.exec(value)?.[0] === value ? [{ kind, id: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Json).flatMap(([name, each]) =>
    idsIn(each, Array.isArray(value) ? kind : name),
  );
}
