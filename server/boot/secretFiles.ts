import { readFileSync } from 'node:fs';

/** Secret settings; each may be in a file instead, named by the variable with the suffix _FILE. */
export const SECRETS = [
  'HUB_DATABASE_URL',
  'HUB_DATABASE_DIRECT_URL',
  'HUB_DATABASE_READ_URL',
  'HUB_METRICS_TOKEN',
  'HUB_ADMIN_TOKEN',
  'HUB_FILES_S3_SECRET_ACCESS_KEY',
] as const;

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the environment with the contents of the named files in place of their names. */
export function withSecretFiles(env: Env): Env {
  const read: Record<string, string | undefined> = { ...env };
  for (const name of SECRETS) {
    const path = env[`${name}_FILE`];
    delete read[`${name}_FILE`];
    if (path === undefined || path === '') continue;
    if (env[name] !== undefined) throw new Error(`set ${name} or ${name}_FILE, not both`);
    try {
      read[name] = readFileSync(path, 'utf8').trim();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${name}_FILE cannot be read (${why})`, { cause: error });
    }
  }
  return read;
}
