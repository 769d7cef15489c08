import { contractPages } from '../contractPages.ts';

export default {
  paths: () => [...contractPages()].map(([area, content]) => ({ params: { area }, content })),
};
