import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file of the built pages, as it is and compressed when it was built. */
export interface WebFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly brotli: Buffer | undefined;
  /** A quoted entity tag (RFC 9110 8.8.3) of the content. */
  readonly tag: string;
}

export interface WebFiles {
  /** For an address that no page has. */
  readonly shell: WebFile;
  /** By file name: `work.html`, and `work.item.html` for one item below it. */
  readonly shells: ReadonlyMap<string, WebFile>;
  /** By file name, and a map, so that no name of an object's own members is found. */
  readonly assets: ReadonlyMap<string, WebFile>;
  /** The client's package; absent where the pages were built without it. */
  readonly client?: ClientPackage;
}

interface ClientPackage {
  readonly file: WebFile;
  /** A hash of its bytes as npm writes it (Subresource Integrity). */
  readonly integrity: string;
}

/** The package's file name in the folder of the pages and its address below the base address. */
export const CLIENT_FILE = 'client.tgz';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  tgz: 'application/gzip',
};

/** The build lies beside the built server, and under `dist` beside the sources. */
export function webFolder(): string {
  const [built, fromSource] = ['../../web', '../../dist/web'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return built !== undefined && existsSync(built) ? built : (fromSource ?? '');
}

/** Everything at once, so that no request reads the disk; undefined where nothing was built. */
export function readWebFiles(folder: string): WebFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  return {
    shell: readOne(join(folder, 'index.html')),
    shells: readAll(join(folder, 'shells')),
    assets: readAll(join(folder, 'assets')),
    ...readClient(join(folder, CLIENT_FILE)),
  };
}

function readClient(path: string): Pick<WebFiles, 'client'> {
  if (!existsSync(path)) return {};
  const file = readOne(path);
  const hash = createHash('sha512').update(file.plain).digest('base64');
  return { client: { file, integrity: `sha512-${hash}` } };
}

function readAll(folder: string): ReadonlyMap<string, WebFile> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const plain = names.filter((name) => !name.endsWith('.br'));
  return new Map(plain.map((name) => [name, readOne(join(folder, name))]));
}

function readOne(path: string): WebFile {
  const plain = readFileSync(path);
  const compressed = `${path}.br`;
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return {
    type: TYPES[ending] ?? 'application/octet-stream',
    plain,
    brotli: existsSync(compressed) ? readFileSync(compressed) : undefined,
    tag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
  };
}
