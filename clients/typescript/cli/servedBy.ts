import { readFileSync } from 'node:fs';

/** Returns the hub that npm installed `program`'s package from; undefined for another source. */
export function servedBy(program: string): string | undefined {
  // The file lies in node_modules/@agent-exchange/client/dist.
  const list = new URL('../../../.package-lock.json', program);
  try {
    const { packages } = JSON.parse(readFileSync(list, 'utf8')) as Installed;
    const from = packages?.['node_modules/@agent-exchange/client']?.resolved ?? '';
    return /^(https?:\/\/.+)\/client\.tgz(?:\?.*)?$/.exec(from)?.[1];
  } catch {
    // Another installer keeps another list, or none.
    return undefined;
  }
}

interface Installed {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
}
