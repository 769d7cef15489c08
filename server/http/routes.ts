import Router from '@koa/router';
import { charges } from '../../generated/charges.ts';
import { operationTable } from '../../generated/operations.ts';
import type { OperationSpec } from '../../workflows/kernel/operation.ts';

export interface Route {
  readonly methods: ReadonlyMap<string, OperationSpec>;
  /** `GET, HEAD, OPTIONS, POST`: the methods the path answers. */
  readonly allow: string;
  readonly path: Readonly<Record<string, string>>;
}

export interface Routes {
  /** Finds the path that a raw, undecoded path names; undefined when there is none. */
  find(rawPath: string): Route | undefined;
}

interface PathEntry {
  readonly methods: ReadonlyMap<string, OperationSpec>;
  readonly allow: string;
}

/** A template with parameters: the layer reads its parameters out of a raw path. */
interface Template extends PathEntry {
  readonly layer: Router['stack'][number];
}

/** Templates of one length and area whose parameters stand in the same places. */
interface Shape {
  readonly isParameter: readonly boolean[];
  /** By their literal segments. */
  readonly templates: Map<string, Template>;
}

/**
 * One route per path, literal before parameter, so `/games/{game}` does not take `/games/positions`
 * and a path asked with a method it lacks is known. Paths are found by their literal segments,
 * since @koa/router tries its patterns one by one; its layer reads the parameters.
 */
export function createRoutes(): Routes {
  const literal = new Map<string, Route>();
  const groups = new Map<string, Shape[]>();
  const router = new Router({ sensitive: true, strict: true });
  for (const [template, entry] of pathEntries()) {
    if (!template.includes('{')) {
      literal.set(template, { ...entry, path: {} });
      continue;
    }
    const pattern = template.replace(REST, '*rest').replaceAll(/\{([A-Za-z]+)\}/g, ':$1');
    router.all(pattern, () => undefined);
    const layer = router.stack.at(-1);
    if (layer === undefined) throw new Error(`no layer for ${template}`);
    for (const segments of lengthsOf(template)) {
      const shape = shapeOf(segments, groups);
      shape.templates.set(literals(segments, shape.isParameter), { ...entry, layer });
    }
  }
  return {
    find(asked) {
      const rawPath = ofAlias(asked);
      const known = literal.get(rawPath);
      if (known !== undefined) return known;
      const segments = rawPath.split('/');
      for (const { isParameter, templates } of groups.get(groupOf(segments)) ?? []) {
        const found = templates.get(literals(segments, isParameter));
        const captures = found?.layer.captures(rawPath) ?? [];
        if (found === undefined || captures.length === 0) continue;
        const { methods, allow, layer } = found;
        return { methods, allow, path: layer.params(rawPath, captures) };
      }
      return undefined;
    },
  };
}

/** The MCP registry before its version 0.1, whose readers still ask there alone. */
const OLD_SERVERS = '/v0/servers';

/** Newer clients of the generateContent form leave `beta` out (choices models.translations). */
export const GENERATE = /^\/v1(?:beta)?(?=\/models\/.+(?::|%3A)(?:g|streamG)enerateContent$)/i;

function ofAlias(path: string): string {
  if (GENERATE.test(path)) return path.replace(GENERATE, '/v1beta');
  const isOld = path === OLD_SERVERS || path.startsWith(`${OLD_SERVERS}/`);
  return isOld ? `/v0.1/servers${path.slice(OLD_SERVERS.length)}` : path;
}

/** A last parameter of this name takes the rest of a path, with its slashes (choices log.tiles). */
const REST = '{rest}';
const REST_SEGMENTS_MAX = 7;

function lengthsOf(template: string): readonly (readonly string[])[] {
  const segments = template.split('/');
  const more = template.endsWith(REST) ? REST_SEGMENTS_MAX - 1 : 0;
  return Array.from({ length: more + 1 }, (_, count) => [
    ...segments,
    ...Array.from({ length: count }, () => REST),
  ]);
}

/** Templates come the most literal first, and so do the shapes of a group. */
function shapeOf(segments: readonly string[], groups: Map<string, Shape[]>): Shape {
  const isParameter = segments.map((segment) => segment.startsWith('{'));
  const name = groupOf(segments);
  const shapes = groups.get(name) ?? [];
  groups.set(name, shapes);
  const known = shapes.find((shape) => String(shape.isParameter) === String(isParameter));
  if (known !== undefined) return known;
  const shape = { isParameter, templates: new Map<string, Template>() };
  shapes.push(shape);
  return shape;
}

/** Where a path is looked for: its length, and its area, `/api/v1/<area>` or `/v1/<area>`. */
function groupOf(segments: readonly string[]): string {
  return `${segments.length} ${segments[/^v[0-9]/.test(segments[1] ?? '') ? 2 : 3] ?? ''}`;
}

function literals(segments: readonly string[], isParameter: readonly boolean[]): string {
  let name = '';
  for (let place = 0; place < segments.length; place += 1) {
    if (isParameter[place] !== true) name += `/${segments[place]}`;
  }
  return name;
}

function pathEntries(): readonly (readonly [string, PathEntry])[] {
  const byPath = new Map<string, Map<string, OperationSpec>>();
  for (const spec of Object.values(operationTable)) {
    const methods = byPath.get(spec.path) ?? new Map<string, OperationSpec>();
    byPath.set(spec.path, methods.set(spec.method, spec));
  }
  return [...byPath]
    .sort(([a], [b]) => specificity(b).localeCompare(specificity(a)))
    .map(([path, methods]) => {
      const read = methods.get('GET');
      // HEAD is GET without its body, which is the very thing that a charge pays for.
      if (read !== undefined && !(read.id in charges)) methods.set('HEAD', read);
      return [path, { methods, allow: [...methods.keys(), 'OPTIONS'].sort().join(', ') }];
    });
}

/** Orders templates so that a literal segment comes before a parameter in the same place. */
function specificity(template: string): string {
  return template
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '0' : '1'))
    .join('');
}
