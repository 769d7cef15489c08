/** Lets a worker of a source tree read TypeScript; the built tree never loads this file. */
import { register } from 'tsx/esm/api';

register();
