const KEY_LENGTH_MAX = 255;

/** A key that the hub takes for a file of this name; what it may not contain becomes `_`. */
export function keyOfFile(name: string): string {
  return name
    .replace(/[^A-Za-z0-9 ._@+=-]/g, '_')
    .replace(/^\.+/, '')
    .slice(0, KEY_LENGTH_MAX);
}

/** The name under which a browser saves a file of this key. */
export function nameOfKey(key: string): string {
  return key.split('/').findLast((part) => part !== '') ?? key;
}
