/** The file of a SQLite database, or `:memory:`; undefined for a server. */
export function sqlitePath(url: string): string | undefined {
  return /^sqlite:(.+)$/.exec(url)?.[1];
}

/** The address of a database without its user and password, for people to read. */
export function shownUrl(url: string): string {
  return url.split('@').at(-1) ?? '';
}
