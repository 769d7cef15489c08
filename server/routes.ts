import Router from '@koa/router';
import { operationTable } from '../generated/operations.ts';
import type { OperationSpec } from './hub/operation.ts';

export interface Route {
  /** Operations of the path by method. */
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

/**
 * One route per path, literal before parameter, so `/games/positions` is never eaten by
 * `/games/{game}` and a path asked with a method it lacks is known as that path. Paths without
 * parameters are looked up by name; the rest go through @koa/router, one small router for each area
 * and length, because it tries its patterns one after another.
 */
export function createRoutes(): Routes {
  const literal = new Map<string, Route>();
  const entries = new Map<string, PathEntry>();
  const routers = new Map<string, Router>();
  for (const [template, entry] of pathEntries()) {
    if (!template.includes('{')) {
      literal.set(template, { ...entry, path: {} });
    } else {
      const pattern = template.replaceAll(/\{([A-Za-z]+)\}/g, ':$1');
      entries.set(pattern, entry);
      const router = routers.get(shelf(template)) ?? new Router({ sensitive: true, strict: true });
      routers.set(shelf(template), router);
      router.all(pattern, () => undefined);
    }
  }
  return {
    find(rawPath) {
      const known = literal.get(rawPath);
      if (known !== undefined) return known;
      const layer = routers.get(shelf(rawPath))?.match(rawPath, 'GET').pathAndMethod[0];
      const entry = layer && entries.get(String(layer.path));
      if (layer === undefined || entry === undefined) return undefined;
      const path = layer.params(rawPath, layer.captures(rawPath));
      return { methods: entry.methods, allow: entry.allow, path };
    },
  };
}

/** Where a path is looked for: its length, and its area, `/api/v1/<area>` or `/v1/<area>`. */
function shelf(path: string): string {
  const segments = path.split('/');
  return `${segments.length} ${segments[segments[1] === 'v1' ? 2 : 3] ?? ''}`;
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
      const names = [...methods.keys(), 'OPTIONS', ...(methods.has('GET') ? ['HEAD'] : [])];
      return [path, { methods, allow: names.sort().join(', ') }];
    });
}

/** Orders templates so that a literal segment comes before a parameter in the same place. */
function specificity(template: string): string {
  return template
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '0' : '1'))
    .join('');
}
