/**
 * The hub that these pages speak to: the one that served them, unless the build named another
 * (`npm run build:web -- --hub https://hub.example`).
 */
const named = document.querySelector<HTMLMetaElement>('meta[name="hub"]')?.content;
export const HUB = named ?? location.origin;

/** The address of something that the hub itself shows, such as the explanation of a refusal. */
export const ofHub = (path: string): string => (named === undefined ? path : HUB + path);
