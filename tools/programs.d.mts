export declare const PROGRAMS: readonly string[];
export declare const DATA: readonly string[];
