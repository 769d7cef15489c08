/** Returns the cursor in `<…?cursor=…>; rel="next"`, by which an answer that is a file goes on. */
export function cursorOf(link: string | null): string | undefined {
  const [, address] = /<([^>]*)>; rel="next"/.exec(link ?? '') ?? [];
  if (address === undefined) return undefined;
  return new URL(address, 'http://hub.invalid').searchParams.get('cursor') ?? undefined;
}
