import { readdir, writeFile } from 'node:fs/promises'
import { dirname, join, parse } from 'node:path'
import { makeFolder } from '../../../kit/folders.ts'
import type { JsonObject } from '../../../model/resource.ts'
import type { Api } from '../../api.ts'
import { type Entry, readEntries, referenceNames } from './entries.ts'
import { filePath, fileText } from './files.ts'
import type { Kind, Owner } from './kind.ts'
import { kinds } from './kinds.ts'
import { withNames } from './references.ts'

/**
 * Writes a file for the account and one for each zone.
 * @returns lines about what was written, and what the user has to do
 */
export async function exportFiles(
  api: Api,
  owners: readonly Owner[],
  folder: string,
): Promise<readonly string[]> {
  const variables = new Variables()
  let accountNames: ReadonlyMap<string, string> = new Map()
  let count = 0
  for (const owner of owners) {
    const found = await readSorted(api, owner)
    const names = new Map([...accountNames, ...namesOf(found)])
    if (owner.scope === 'account') accountNames = names
    const documents = new Map(
      [...found].map(([kind, entries]) => [kind, documentsOf(kind, entries, owner, names, variables)]),
    )
    const path = join(folder, filePath(owner.scope, owner.name))
    await makeFolder(dirname(path))
    await writeFile(path, fileText(owner.name, documents), { mode: 0o600 })
    count += [...found.values()].flat().length
  }
  const stale = await filesWithoutZone(folder, owners)
  return [
    `${count} objects in ${owners.length} files of ${folder}`,
    ...(variables.names.length === 0
      ? []
      : [`Credentials are not exported. Set these variables for them: ${variables.names.join(', ')}`]),
    ...stale.map(
      path => `${path} has no zone: remove the file, or create the zone with \`sluice config apply\``,
    ),
  ]
}

type Found = ReadonlyMap<Kind, readonly Entry[]>

async function readSorted(api: Api, owner: Owner): Promise<Found> {
  const found = new Map<Kind, readonly Entry[]>()
  for (const kind of kinds.filter(({ scopes }) => scopes.includes(owner.scope))) {
    const entries = (await readEntries(api, owner, kind)).filter(({ isUnlisted }) => !isUnlisted)
    const keyed = entries.map(entry => ({ entry, key: `${entry.label}\0${JSON.stringify(entry.document)}` }))
    const sorted = keyed.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    found.set(
      kind,
      sorted.map(({ entry }) => entry),
    )
  }
  return found
}

/** References by ids. */
function namesOf(found: Found): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [kind, entries] of found) {
    if (kind.isSingle || kind.idMember !== undefined) continue
    const own = referenceNames(entries.map(({ label }) => label))
    // Ids of 32 digits alone: the number of a job, or the name of a setting, may be any text.
    for (const [at, { id }] of entries.entries())
      if (/^[0-9a-f]{32}$/.test(id)) names.set(id, `\${${kind.name}:${own[at]}}`)
  }
  return names
}

function documentsOf(
  kind: Kind,
  entries: readonly Entry[],
  owner: Owner,
  names: ReadonlyMap<string, string>,
  variables: Variables,
): readonly JsonObject[] {
  return entries.map(({ document, object, label }) => {
    const named = withNames(document, names) as JsonObject
    const variable = (suffix: string) => variables.nameFor([owner.name, kind.noun, label, suffix].join('_'))
    return kind.concealed?.(named, object, variable) ?? named
  })
}

/** Names of variables of the environment, each once. */
class Variables {
  readonly #names = new Set<string>()

  get names(): readonly string[] {
    return [...this.#names]
  }

  nameFor(text: string): string {
    const word = text.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
    const base = /^[A-Z]/.test(word) ? word : `ZONE_${word}`
    let name = base
    for (let next = 2; this.#names.has(name); next++) name = `${base}_${next}`
    this.#names.add(name)
    return name
  }
}

async function filesWithoutZone(folder: string, owners: readonly Owner[]): Promise<readonly string[]> {
  const zones = new Set(owners.map(({ name }) => name))
  const names = await readdir(join(folder, 'zones')).catch(() => [])
  return names.filter(name => !zones.has(parse(name).name)).map(name => join(folder, 'zones', name))
}
