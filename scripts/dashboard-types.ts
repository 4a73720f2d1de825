import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import pino from 'pino'
import { type ApiDeps, createApi } from '../src/api/index.ts'
import { systemClock } from '../src/kit/clock.ts'
import type { Json, JsonObject } from '../src/model/resource.ts'

/**
 * `npm run dashboard:types` writes dashboard/src/api/types.ts, the types of the API as the dashboard sees it, from
 * the OpenAPI document. `node scripts/dashboard-types.ts --check` writes nothing and fails if that file is out of
 * date.
 */
const path = join(import.meta.dirname, '../dashboard/src/api/types.ts')
const base = '/client/v4'

const text = await typesText(await readDocument())
if (!process.argv.includes('--check')) writeFileSync(path, text)
else if (readFileSync(path, 'utf8') !== text) {
  console.error('dashboard/src/api/types.ts is out of date; run `npm run dashboard:types`')
  process.exitCode = 1
}

/** The document of an API without a store: it depends on the routes only. */
async function readDocument(): Promise<JsonObject> {
  const app = createApi({
    trustedProxies: [],
    logger: pino({ level: 'silent' }),
    clock: systemClock,
    store: { lists: { openOperations: async () => [] } },
  } as unknown as ApiDeps)
  const document = (await app.inject(`${base}/openapi.json`)).json() as JsonObject
  await app.close()
  return document
}

interface Named {
  readonly key: string
  readonly result: string
  readonly body: string
  readonly query: string
}

async function typesText(document: JsonObject): Promise<string> {
  const definitions: Record<string, Json> = {
    ...((document['components'] as JsonObject)['schemas'] as object),
  }
  const operations = listOperations(document['paths'] as JsonObject, definitions)
  const schema = localReferences({ title: 'Unused', definitions } as unknown as Json) as JSONSchema
  const types = await compile(schema, 'Unused', {
    additionalProperties: false,
    unreachableDefinitions: true,
    bannerComment: '',
    style: { semi: false, singleQuote: true, printWidth: 110, trailingComma: 'all' },
    ignoreMinAndMaxItems: true,
  })
  const own = types
    .replace(/export (?:interface Unused \{[^}]*\}|type Unused = [^\n]*)\n/, '')
    .replace(
      / \* This interface was referenced by `Unused`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g,
      '',
    )
    .replace(/\/\*\*\n \*\/\n/g, '')
  return `// Made by \`npm run dashboard:types\` from the OpenAPI document; do not edit.
${own.replace(/\n{3,}/g, '\n\n').trim()}

/** Method and path below ${base} → input and output. */
export interface Operations {
${operations.map(operationText).join('\n')}
}
`
}

function operationText({ key, result, body, query }: Named): string {
  return `  ${JSON.stringify(key)}: { result: ${result}; body: ${body}; query: ${query} }`
}

/** @param definitions receives the schemas of bodies without a name */
function listOperations(paths: JsonObject, definitions: Record<string, Json>): Named[] {
  const found: Named[] = []
  for (const [path, methods] of Object.entries(paths)) {
    if (!path.startsWith(`${base}/`)) continue
    for (const [method, operation] of Object.entries(methods as JsonObject)) {
      const described = operation as JsonObject
      found.push({
        key: `${method.toUpperCase()} ${path.slice(base.length)}`,
        result: resultType(described),
        body: bodyType(described, definitions),
        query: queryType(described),
      })
    }
  }
  return found.sort((a, b) => (a.key < b.key ? -1 : 1))
}

function resultType(operation: JsonObject): string {
  const schema = at(operation, 'responses', '200', 'content', 'application/json', 'schema')
  const result = at(schema, 'properties', 'result')
  if (at(result, 'type') === 'array') return `${nameOf(at(result, 'items'))}[]`
  // A dry run answers null; its callers know.
  const [one] = (at(result, 'anyOf') as Json[] | undefined) ?? [result]
  return nameOf(one)
}

function bodyType(operation: JsonObject, definitions: Record<string, Json>): string {
  const schema = at(operation, 'requestBody', 'content', 'application/json', 'schema')
  if (schema === undefined) return 'undefined'
  const named = nameOf(schema)
  if (named !== 'unknown') return named
  const id = String(operation['operationId'])
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`
  definitions[name] = schema
  return name
}

function queryType(operation: JsonObject): string {
  const parameters = (operation['parameters'] ?? []) as JsonObject[]
  const own = parameters.filter(parameter => parameter['in'] === 'query')
  if (own.length === 0) return 'undefined'
  const members = own.map(parameter => {
    const name = JSON.stringify(parameter['name'])
    return `${name}${parameter['required'] === true ? '' : '?'}: ${parameterType(parameter['schema'])}`
  })
  return `{ ${members.join('; ')} }`
}

function parameterType(schema: Json | undefined): string {
  const values = at(schema, 'enum') as Json[] | undefined
  if (values !== undefined) return values.map(value => JSON.stringify(value)).join(' | ')
  const type = at(schema, 'type')
  return type === 'integer' || type === 'number' ? 'number' : type === 'boolean' ? 'boolean' : 'string'
}

/** Name of the type that a reference stands for. */
function nameOf(schema: Json | undefined): string {
  const reference = at(schema, '$ref')
  return typeof reference === 'string' ? typeName(reference.split('/').at(-1) ?? '') : 'unknown'
}

/** As json-schema-to-typescript writes it: `Parameters_block` → `ParametersBlock`. */
function typeName(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function at(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  let found = value
  for (const key of keys) found = (found as JsonObject | undefined)?.[key]
  return found
}

function localReferences(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', '#/definitions/')) as Json
}
