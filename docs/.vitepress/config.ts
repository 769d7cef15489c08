export { site as default } from '../../tools/docs/site.ts';
