// The wire schema as TypeScript: a namespace for each family of operations, the types that several families share, and the table of operations.
import { compile } from 'json-schema-to-typescript';

const REFERENCE = /^#\/(?:definitions|\$defs)\/(.+)$/;

const OPTIONS = {
  additionalProperties: false,
  bannerComment: '',
  declareExternallyReferenced: false,
  enableConstEnums: false,
  ignoreMinAndMaxItems: true,
  strictIndexSignatures: false,
  style: { singleQuote: true, printWidth: 120 },
  unknownAny: true,
};

const HEADER = '// Generated from schema.json by `cargo xtask generate`; change the operations in Rust instead.\n';

/** Families whose name is a global of JavaScript or the DOM, which a namespace of that name would hide. */
const NAMESPACES = { file: 'Files', symbol: 'Symbols', text: 'Texts' };

/**
 * @typedef {{ operations: Record<string, { params: unknown, output: unknown }>, definitions: Record<string, unknown> }} Document
 */

/**
 * @param {Document} document
 * @returns {Promise<string>}
 */
export async function typescript(document) {
  const families = familiesOf(document);
  const names = new Set(Object.keys(document.definitions));
  /** @type {Map<string, string[]>} Declarations by namespace; those that families share are under ''. */
  const declarations = new Map([['', []]]);
  const add = async (namespace, name, schema) => {
    if (!declarations.has(namespace)) declarations.set(namespace, []);
    const nameOf = (used) => ([undefined, namespace].includes(families.get(used)) ? used : `${families.get(used)}.${used}`);
    declarations.get(namespace).push(await declare(name, schema, nameOf));
  };
  for (const name of [...names].sort()) await add(families.get(name) ?? '', name, document.definitions[name]);

  const rows = [];
  for (const [operation, { params, output }] of Object.entries(document.operations)) {
    const types = [];
    for (const [schema, suffix] of [[params, 'Params'], [output, 'Output']]) {
      const known = reference(schema);
      const name = known ?? pascal(operation) + suffix;
      const namespace = known === null ? namespaceOf(operation) : families.get(known);
      if (known !== null && !names.has(known)) throw new Error(`${operation} refers to ${known}, which isn't defined`);
      if (known === null) {
        if (names.has(name)) throw new Error(`the definition ${name} has the name of a type of ${operation}`);
        names.add(name);
        await add(namespace, name, schema);
      }
      types.push(namespace === undefined ? name : `${namespace}.${name}`);
    }
    rows.push(`  '${operation}': { params: ${types[0]}; output: ${types[1]} };\n`);
  }
  const parts = [HEADER, ...declarations.get('')];
  for (const namespace of [...declarations.keys()].filter(Boolean).sort()) {
    const body = declarations.get(namespace).join('\n').replace(/^(?=.)/gm, '  ');
    parts.push(`export namespace ${namespace} {\n${body}}\n`);
  }
  parts.push(`/** Every operation with its parameters and its result. */\nexport interface Operations {\n${rows.join('')}}\n`);
  parts.push(
    'export type OperationName = keyof Operations;\n' +
      "export type ParamsOf<N extends OperationName> = Operations[N]['params'];\n" +
      "export type OutputOf<N extends OperationName> = Operations[N]['output'];\n",
  );
  return parts.join('\n');
}

/**
 * The namespace of each definition that the operations of one family alone use; the others are shared.
 * @param {Document} document
 * @returns {Map<string, string>}
 */
function familiesOf({ operations, definitions }) {
  /** @type {Map<string, Set<string>>} */
  const users = new Map();
  // Tools of models are other families' operations in another form: they share their types without owning them.
  const isTool = ([operation]) => operation.startsWith('tool/');
  const all = Object.entries(operations);
  for (const [operation, shapes] of [...all.filter((one) => !isTool(one)), ...all.filter(isTool)]) {
    const namespace = namespaceOf(operation);
    const pending = references(shapes);
    for (const name of pending) {
      const known = users.get(name) ?? new Set();
      if (known.has(namespace) || (known.size > 0 && isTool([operation]))) continue;
      users.set(name, known.add(namespace));
      for (const next of references(definitions[name])) pending.add(next);
    }
  }
  const families = new Map([...users].filter(([, namespaces]) => namespaces.size === 1).map(([name, [namespace]]) => [name, namespace]));
  // Events belong to no operation, but to the family whose types they contain.
  for (const [name, schema] of Object.entries(definitions)) {
    if (users.has(name)) continue;
    const [namespace] = [...references(schema)].map((used) => families.get(used)).filter(Boolean);
    if (namespace !== undefined) families.set(name, namespace);
  }
  return families;
}

/** The names of all definitions that a schema refers to. @returns {Set<string>} */
function references(schema, found = new Set()) {
  if (typeof schema !== 'object' || schema === null) return found;
  const name = reference(schema);
  if (name !== null) found.add(name);
  for (const value of Object.values(schema)) references(value, found);
  return found;
}

/** @param {string} operation */
function namespaceOf(operation) {
  const [family] = operation.split('/');
  return NAMESPACES[family] ?? pascal(family);
}

/** @param {string} name @param {unknown} schema */
async function declare(name, schema, nameOf) {
  if (isEmptyObject(schema)) return `${comment(schema)}export type ${name} = Record<string, never>;\n`;
  const code = await compile(/** @type {any} */ (withTypeNames(schema, nameOf)), name, OPTIONS);
  if (!new RegExp(`export (interface|type) ${name}\\b`).test(code)) throw new Error(`${name} isn't a valid name of a TypeScript type`);
  return code.replace(/\/\*\*\n +\* (.+)\n +\*\//g, '/** $1 */');
}

/** Replaces references by type names, so that each definition is compiled once and keeps the comments of its fields. */
function withTypeNames(schema, nameOf, top = true) {
  if (Array.isArray(schema)) return schema.map((item) => withTypeNames(item, nameOf, false));
  if (typeof schema !== 'object' || schema === null) return schema;
  const target = reference(schema);
  if (target !== null) return { ...(schema.description ? { description: schema.description } : {}), tsType: nameOf(target) };
  const result = {};
  for (const [key, value] of Object.entries(schema)) {
    // A title would name the type, and an example or default is data.
    if (key === '$schema' || (key === 'title' && typeof value === 'string')) continue;
    if (['default', 'example', 'examples', 'const', 'enum', 'required'].includes(key)) result[key] = value;
    else if (key === 'properties') result[key] = propertiesOf(value, nameOf);
    else result[key] = withTypeNames(value, nameOf, false);
  }
  // The compiler would print defaults; optional fields are determined by `required`.
  if (!top) delete result.default;
  return result;
}

/** Converts the schemas in `properties`, whose keys are field names, so that a field `title` is kept. */
function propertiesOf(properties, nameOf) {
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, unknownType(value) ?? withTypeNames(value, nameOf, false)]));
}

/** A field with any value, which the compiler would turn into an object. Null for other schemas. */
function unknownType(schema) {
  const free = schema === true || (typeof schema === 'object' && schema !== null && Object.keys(schema).every((key) => key === 'description' || key === 'default'));
  return free ? { ...(schema.description ? { description: schema.description } : {}), tsType: 'unknown' } : null;
}

function reference(schema) {
  const found = typeof schema === 'object' && schema !== null && typeof schema.$ref === 'string' && REFERENCE.exec(schema.$ref);
  return found ? found[1] : null;
}

function isEmptyObject(schema) {
  const { type, properties = {}, additionalProperties = false } = schema ?? {};
  return type === 'object' && Object.keys(properties).length === 0 && additionalProperties === false && !schema.oneOf && !schema.anyOf;
}

function comment(schema) {
  return schema.description ? `/** ${schema.description.replaceAll('\n', ' ')} */\n` : '';
}

function pascal(operation) {
  return operation.replace(/(?:^|[/_-])(\w)/g, (_, letter) => letter.toUpperCase());
}
