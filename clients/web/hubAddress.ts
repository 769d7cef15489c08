/** The hub that served these pages, or the one that `npm run build:web -- --hub URL` named. */
const named = document.querySelector<HTMLMetaElement>('meta[name="hub"]')?.content;
export const HUB = named ?? location.origin;

/** The address of something that the hub itself shows, such as the explanation of a refusal. */
export const ofHub = (path: string): string => (named === undefined ? path : HUB + path);
