import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../../model/resource.ts'
import type { Api } from '../../api.ts'
import { type Entry, readEntries, referenceNames } from './entries.ts'
import type { ScopeFile } from './files.ts'
import { canonical, type Kind, labelOf, type Owner } from './kind.ts'
import { kinds } from './kinds.ts'
import { Names } from './names.ts'

/** An object of a file that differs from the API, or an object of the API that no file has. */
export interface Step {
  readonly action: 'create' | 'change' | 'delete'
  readonly owner: Owner
  readonly kind: Kind
  readonly label: string
  /** By which references of the files name it; undefined for a deletion. */
  readonly reference?: string
  /** As the file has it; undefined for a deletion. */
  readonly source?: JsonObject
  /** Undefined for a creation. */
  readonly entry?: Entry
  /** Objects that a creation replaces. */
  readonly replaced: readonly Entry[]
  /** Members that differ, with their canonical values. */
  readonly changes: readonly Change[]
}

export interface Change {
  readonly member: string
  readonly before: unknown
  readonly after: unknown
}

export interface Plan {
  /** Deletions last; objects that others name are created before these and deleted after them. */
  readonly steps: readonly Step[]
  readonly names: Names
  /** Sentences about objects that stay as they are. */
  readonly notes: readonly string[]
}

/**
 * Compares the files with the API.
 * @param owners the account and its zones
 * @throws Error when an object is in no file, or when a new object needs a variable that is not set
 */
export async function planOf(
  api: Api,
  files: readonly ScopeFile[],
  owners: readonly Owner[],
  environment: NodeJS.ProcessEnv,
): Promise<Plan> {
  const names = new Names(files, environment)
  const steps: Step[] = []
  const account = owners[0]!
  for (const file of files) {
    const owner = owners.find(({ name, scope }) => name === file.name && scope === file.scope) ?? {
      scope: 'zone',
      id: undefined,
      accountId: account.accountId,
      name: file.name,
    }
    if (owner.id === undefined && ![...file.documents.keys()].some(({ name }) => name === 'zone'))
      throw new Error(`${file.path}: the zone does not exist, and the file has no \`zone\` to create it`)
    for (const kind of kinds) {
      const documents = file.documents.get(kind)
      if (documents === undefined) continue
      const entries = await readEntries(api, owner, kind)
      steps.push(...stepsOf({ kind, owner, names }, documents, entries))
    }
  }
  const isDeletion = ({ action }: Step) => action === 'delete'
  const zones = new Set(files.map(({ name }) => name))
  return {
    steps: [...steps.filter(step => !isDeletion(step)), ...steps.filter(isDeletion).toReversed()],
    names,
    notes: [
      ...names.unset().map(name => `${name} is not set: values with it stay as they are`),
      ...owners
        .filter(({ name, scope }) => scope === 'zone' && !zones.has(name))
        .map(({ name }) => `zone ${name} has no file and stays as it is`),
    ],
  }
}

interface Context {
  readonly kind: Kind
  readonly owner: Owner
  readonly names: Names
}

interface Wanted {
  readonly source: JsonObject
  readonly label: string
  readonly reference: string
}

function stepsOf(
  context: Context,
  sources: readonly JsonObject[],
  entries: readonly Entry[],
): readonly Step[] {
  const { kind, owner, names } = context
  const wanted = wantedOf(context, sources)
  const { pairs, left } = paired(context, wanted, entries)
  const steps = wanted.flatMap((one): Step[] => {
    const { source, label, reference } = one
    const entry = pairs.get(one)
    if (entry !== undefined) names.set(owner, kind, reference, entry.id)
    const { document, unset } = names.resolve(owner, source, entry?.document)
    const after = canonical(kind, document, entry?.document)
    const changes = changesBetween(kind, entry?.document ?? {}, after)
    const step = { owner, kind, label, reference, source, changes, replaced: [] }
    if (entry !== undefined) return changes.length === 0 ? [] : [{ ...step, action: 'change', entry }]
    if (unset.length > 0)
      throw new Error(`the new ${kind.noun} ${label} of ${owner.name} needs the variable ${unset[0]}: set it`)
    // The only object of a zone that does not exist yet, with nothing but defaults.
    return kind.isSingle && kind.name !== 'zone' && changes.length === 0
      ? []
      : [{ ...step, action: 'create', replaced: taken(kind, after, left) }]
  })
  const deleted = left.map(
    (entry): Step => ({
      action: 'delete',
      owner,
      kind,
      label: entry.label,
      entry,
      changes: [],
      replaced: [],
    }),
  )
  return [...steps, ...deleted]
}

function wantedOf({ kind, owner, names }: Context, sources: readonly JsonObject[]): readonly Wanted[] {
  const labels = sources.map(source => labelOf(kind, names.resolve(owner, source).document))
  const references = referenceNames(labels)
  return sources.map((source, at) => ({ source, label: labels[at]!, reference: references[at]! }))
}

/** Objects of the same name belong together: equal ones first, then the others in their order. */
function paired(context: Context, wanted: readonly Wanted[], entries: readonly Entry[]) {
  const { kind, owner, names } = context
  const free = Map.groupBy(entries, ({ label }) => label)
  const pairs = new Map<Wanted, Entry>()
  const take = (one: Wanted, accepts: (entry: Entry) => boolean) => {
    const list = free.get(one.label) ?? []
    const at = list.findIndex(accepts)
    if (at >= 0) pairs.set(one, list.splice(at, 1)[0]!)
  }
  for (const one of wanted)
    take(one, ({ document: present }) => {
      const { document } = names.resolve(owner, one.source, present)
      return isDeepStrictEqual(canonical(kind, document, present), present)
    })
  for (const one of wanted) if (!pairs.has(one)) take(one, () => true)
  const ends = ({ isUnlisted, object }: Entry) => !isUnlisted && kind.stays?.(object) !== true
  return { pairs, left: [...free.values()].flat().filter(ends) }
}

/** Takes the objects out of a list that cannot be beside a new one. */
function taken(kind: Kind, document: JsonObject, left: Entry[]): readonly Entry[] {
  const found = left.filter(entry => kind.exchange?.excludes(document, entry.document))
  for (const entry of found) left.splice(left.indexOf(entry), 1)
  return found
}

function changesBetween(kind: Kind, before: JsonObject, after: JsonObject): readonly Change[] {
  return kind.members
    .filter(member => !isDeepStrictEqual(before[member], after[member]))
    .map(member => ({ member, before: before[member], after: after[member] }))
}
