import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The fields of types that packages of npm declare, each as a path and a kind of value. */
const { TypeFlags } = ts;
const KINDS = [
  [TypeFlags.Null, 'null'],
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BooleanLike, 'boolean'],
  [TypeFlags.Any | TypeFlags.Unknown, 'any'],
];

/** Reads types of the packages in a folder: `types` has `import('package').Name` by SDK. */
export function fieldsOfTypes(folder, types) {
  const entry = join(folder, 'types.ts');
  const names = Object.keys(types);
  writeFileSync(entry, names.map((name, n) => `export type T${n} = ${types[name]};\n`).join(''));
  const program = ts.createProgram([entry], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  });
  const source = program.getSourceFile(entry);
  const faults = ts.getPreEmitDiagnostics(program, source);
  if (faults.length > 0) {
    throw new Error(
      faults.map((each) => ts.flattenDiagnosticMessageText(each.messageText, '\n')).join('\n'),
    );
  }
  const checker = program.getTypeChecker();
  const aliases = source.statements.filter(ts.isTypeAliasDeclaration);
  return Object.fromEntries(
    aliases.map((alias, n) => [names[n], fieldsIn(checker, checker.getTypeAtLocation(alias))]),
  );
}

function fieldsIn(checker, root) {
  const fields = new Set();
  const walk = (type, path, above) => {
    if (type.isUnion()) {
      for (const each of type.types) walk(each, path, above);
      return;
    }
    if (type.flags & (TypeFlags.Undefined | TypeFlags.Void)) return;
    const plain = type.isIntersection() ? type.types.find((each) => kindOf(each)) : type;
    const kind = plain && kindOf(plain);
    if (kind !== undefined) fields.add(`${path} ${kind}`);
    else if (checker.isArrayType(type)) {
      fields.add(`${path} array`);
      for (const each of checker.getTypeArguments(type)) walk(each, `${path}[]`, above);
    } else if (!above.includes(type)) {
      if (path !== '') fields.add(`${path} object`);
      for (const member of checker.getPropertiesOfType(type)) {
        const at = path === '' ? wireName(member.name) : `${path}.${wireName(member.name)}`;
        walk(checker.getTypeOfSymbol(member), at, [...above, type]);
      }
    }
  };
  walk(root, '', []);
  return [...fields].sort();
}

function kindOf(type) {
  if (type.isStringLiteral()) return JSON.stringify(type.value);
  return KINDS.find(([flags]) => type.flags & flags)?.[1];
}

/** Some SDKs rename the members of the wire. */
function wireName(name) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
