import { readdir, readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { type Document, parseDocument, stringify } from 'yaml'
import type { Json, JsonObject, Scope } from '../../../model/resource.ts'
import type { Kind } from './kind.ts'
import { kinds } from './kinds.ts'

/** The content of one file: the objects of the account, or of a zone. */
export interface ScopeFile {
  readonly path: string
  readonly scope: Scope['kind']
  /** The zone's domain; `account` for the account. */
  readonly name: string
  /** A kind without an entry is not the files' business. */
  readonly documents: ReadonlyMap<Kind, readonly JsonObject[]>
}

/** `account.yaml` or `zones/shop.test.yaml`. */
export function filePath(scope: Scope['kind'], name: string): string {
  return scope === 'account' ? 'account.yaml' : join('zones', `${name}.yaml`)
}

/**
 * The files of a folder, the account first and zones by name.
 * @throws Error naming the file and the line or member of the first fault
 */
export async function readFiles(folder: string): Promise<readonly ScopeFile[]> {
  const accounts = (await namesIn(folder)).filter(name => parse(name).name === 'account')
  const zones = await namesIn(join(folder, 'zones'))
  const files = [
    ...accounts.map(name => [join(folder, name), 'account'] as const),
    ...zones.map(name => [join(folder, 'zones', name), 'zone'] as const),
  ]
  if (files.length === 0)
    throw new Error(`${folder} has neither account.yaml nor zones/*.yaml: run \`sluice config export\` first`)
  const taken = new Map<string, string>()
  return Promise.all(
    files.map(async ([path, scope]) => {
      const name = parse(path).name.toLowerCase()
      const other = taken.get(`${scope} ${name}`)
      if (other !== undefined) throw new Error(`${path} and ${other} describe the same ${scope}: keep one`)
      taken.set(`${scope} ${name}`, path)
      return { path, scope, name, documents: documentsIn(path, scope, await readFile(path, 'utf8')) }
    }),
  )
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter(name => /^[^.].*\.(?:ya?ml|json)$/.test(name)).toSorted()
}

function documentsIn(path: string, scope: Scope['kind'], text: string): ScopeFile['documents'] {
  const parsed: Document = parseDocument(text, { prettyErrors: true })
  const [fault] = parsed.errors
  if (fault !== undefined) throw new Error(`${path}: ${fault.message}`, { cause: fault })
  const content = (parsed.toJS() ?? {}) as Json
  if (!isObject(content)) throw new Error(`${path}: the file has a mapping of kinds, such as dns_records`)
  const known = kinds.filter(kind => kind.scopes.includes(scope))
  for (const name of Object.keys(content)) {
    if (!known.some(kind => kind.name === name))
      throw new Error(
        `${path}: there is no ${name}; the kinds are ${known.map(kind => kind.name).join(', ')}`,
      )
  }
  return new Map(
    known
      .filter(({ name }) => name in content)
      .map(kind => [kind, documentsOf(kind, content[kind.name]!, `${path}: ${kind.name}`)]),
  )
}

function documentsOf(kind: Kind, value: Json, at: string): readonly JsonObject[] {
  const documents = kind.isSingle ? [value ?? {}] : (value ?? [])
  if (!Array.isArray(documents)) throw new Error(`${at} is a list`)
  return documents.map((document: Json, index) => {
    const path = kind.isSingle ? at : `${at}[${index}]`
    if (!isObject(document)) throw new Error(`${path} is a mapping of ${kind.members.join(', ')}`)
    const members = [...kind.members, ...(kind.unread ?? [])]
    const unknown = Object.keys(document).find(name => !members.includes(name))
    if (unknown !== undefined)
      throw new Error(`${path} has an unknown member ${unknown}; the members are ${members.join(', ')}`)
    return document
  })
}

function isObject(value: Json): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The text of a file. The same objects have the same text. */
export function fileText(name: string, documents: ScopeFile['documents']): string {
  const content = [...documents].map(([kind, list]) => [kind.name, kind.isSingle ? list[0]! : list])
  const head = `# Configuration of ${name}. \`sluice config apply\` puts it in force.\n`
  return head + stringify(Object.fromEntries(content), { lineWidth: 0, aliasDuplicateObjects: false })
}
