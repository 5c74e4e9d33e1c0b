// The wire schema as TypeScript: one exported type for each definition, and the table of operations.
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

/**
 * @typedef {{ operations: Record<string, { params: unknown, output: unknown }>, definitions: Record<string, unknown> }} Document
 */

/**
 * @param {Document} document
 * @returns {Promise<string>}
 */
export async function typescript(document) {
  const parts = [HEADER];
  const names = new Set(Object.keys(document.definitions));
  for (const name of [...names].sort()) parts.push(await declare(name, document.definitions[name]));

  const rows = [];
  for (const [operation, { params, output }] of Object.entries(document.operations)) {
    const types = [];
    for (const [schema, suffix] of [[params, 'Params'], [output, 'Output']]) {
      const known = reference(schema);
      const name = known ?? pascal(operation) + suffix;
      if (known !== null && !names.has(known)) throw new Error(`${operation} refers to ${known}, which is not defined`);
      if (known === null) {
        if (names.has(name)) throw new Error(`the definition ${name} has the name of what ${operation} needs`);
        names.add(name);
        parts.push(await declare(name, schema));
      }
      types.push(name);
    }
    rows.push(`  '${operation}': { params: ${types[0]}; output: ${types[1]} };\n`);
  }
  parts.push(`/** Every operation with its parameters and its result. */\nexport interface Operations {\n${rows.join('')}}\n`);
  parts.push(
    'export type OperationName = keyof Operations;\n' +
      "export type ParamsOf<N extends OperationName> = Operations[N]['params'];\n" +
      "export type OutputOf<N extends OperationName> = Operations[N]['output'];\n",
  );
  return parts.join('\n');
}

/** @param {string} name @param {unknown} schema */
async function declare(name, schema) {
  if (isEmptyObject(schema)) return `${comment(schema)}export type ${name} = Record<string, never>;\n`;
  const code = await compile(/** @type {any} */ (named(schema)), name, OPTIONS);
  if (!new RegExp(`export (interface|type) ${name}\\b`).test(code)) throw new Error(`${name} is no name for a TypeScript type`);
  return code.replace(/\/\*\*\n +\* (.+)\n +\*\//g, '/** $1 */');
}

/** References become plain names, so that each definition is compiled once and keeps the comments of its fields. */
function named(schema, top = true) {
  if (Array.isArray(schema)) return schema.map((item) => named(item, false));
  if (typeof schema !== 'object' || schema === null) return schema;
  const target = reference(schema);
  if (target !== null) return { ...(schema.description ? { description: schema.description } : {}), tsType: target };
  const result = {};
  for (const [key, value] of Object.entries(schema)) {
    // A title would name the type, and an example or default is data.
    if (key === '$schema' || (key === 'title' && typeof value === 'string')) continue;
    if (['default', 'example', 'examples', 'const', 'enum', 'required'].includes(key)) result[key] = value;
    else if (key === 'properties') result[key] = mapped(value);
    else result[key] = named(value, false);
  }
  // A default would make the compiler print it; what a client may leave out is told by `required`.
  if (!top) delete result.default;
  return result;
}

/** The keys of `properties` are names, so a field called `title` stays. */
function mapped(properties) {
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, anything(value) ?? named(value, false)]));
}

/** A field that takes any value: the compiler would make an object of it. */
function anything(schema) {
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
