interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly (
    | { readonly license: { readonly id?: string; readonly name?: string } }
    | { readonly expression: string }
  )[];
}

/** The packages that the product loads, as CycloneDX. */
export function billOfMaterials(): {
  readonly bomFormat: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
};

/** An in-toto statement about a file. */
export function provenanceOf(
  file: string,
  command?: string,
): {
  readonly subject: readonly { readonly digest: { readonly sha256: string } }[];
  readonly predicate: {
    readonly buildDefinition: { readonly resolvedDependencies: readonly unknown[] };
  };
};
