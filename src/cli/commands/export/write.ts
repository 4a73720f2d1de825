import { block, comment, Encoded, Expression, type Members, type Value } from './hcl.ts'
import { uniqueNames } from './names.ts'
import type { Notes } from './omitted.ts'
import type { NamedScope, Resource } from './read.ts'

/** Texts of the files of a configuration, by name. */
export type Files = ReadonlyMap<string, string>

/** A file for the account, one for each zone, and one that imports everything. */
export function filesOf(scopes: readonly NamedScope[], resources: readonly Resource[], notes: Notes): Files {
  const references = new Map(
    resources
      .filter(({ type }) => type.isReferred)
      .map(one => [one.id, new Expression(`${addressOf(one)}.id`)] as const),
  )
  references.set(scopes[0]!.id, new Expression('local.account_id'))
  const variables = variablesOf(resources)
  const files = new Map([['terraform.tf', head]])
  for (const { kind, id, name } of scopes) {
    const own = resources.filter(({ scope }) => scope.id === id)
    const texts = own.map(resource => textOf(resource, references, variables))
    const locals = kind === 'account' ? [block('locals', { account_id: id })] : []
    const comments = (notes.get(id) ?? []).map(comment)
    files.set(
      kind === 'account' ? 'account.tf' : `zone_${name}.tf`,
      [...locals, ...texts, ...comments].join('\n'),
    )
  }
  if (variables.length > 0) files.set('variables.tf', variables.map(variableBlock).join('\n'))
  return files.set('imports.tf', resources.map(importOf).join('\n'))
}

const head = `terraform {
  required_providers {
    cloudflare = {
      source  = "cloudflare/cloudflare"
      version = "~> 5.0"
    }
  }
}
`

type References = ReadonlyMap<string, Expression>

/** An input variable in place of credentials. */
interface Variable {
  readonly name: string
  readonly resource: Resource
  /** Names of members from the outside in, and indexes of lists. */
  readonly path: readonly string[]
}

function textOf(resource: Resource, references: References, variables: readonly Variable[]): string {
  const { type, name, scope, object } = resource
  const members = variables
    .filter(variable => variable.resource === resource)
    .reduce((all, variable) => replaced(all, variable.path, variable.name), resource.members)
  const all = { ...(type.isOfNoScope ? {} : { [`${scope.kind}_id`]: scope.id }), ...members }
  const lost = (type.lost?.(object) ?? []).map(part => comment(`Not part of the provider: ${part}`))
  return (
    lost.join('') +
    block(`resource "cloudflare_${type.type}" "${name}"`, referring(all, references) as Members)
  )
}

/** The members with a variable at the end of the path. */
function replaced(members: Members, path: readonly string[], variable: string): Members {
  const put = (value: Value, [name, ...rest]: readonly string[]): Value => {
    if (name === undefined) return new Expression(`var.${variable}`)
    if (Array.isArray(value)) return value.with(Number(name), put(value[Number(name)], rest))
    const outer = value as Members
    return { ...outer, [name]: put(outer[name]!, rest) }
  }
  return put(members, path) as Members
}

/** Names resources in place of their ids. */
function referring(value: Value, references: References): Value {
  if (typeof value === 'string') return references.get(value) ?? value
  if (value === null || typeof value !== 'object' || value instanceof Expression || value instanceof Encoded)
    return value
  if (Array.isArray(value)) return value.map(item => referring(item, references))
  return Object.fromEntries(
    Object.entries(value as Members).map(([name, member]) => [name, referring(member, references)]),
  )
}

function importOf(resource: Resource): string {
  return block('import', { to: new Expression(addressOf(resource)), id: resource.importId })
}

function addressOf({ type, name }: Resource): string {
  return `cloudflare_${type.type}.${name}`
}

function variablesOf(resources: readonly Resource[]): readonly Variable[] {
  const all = resources.flatMap(resource =>
    (resource.type.secrets?.(resource.object) ?? []).map(path => ({ resource, path })),
  )
  const names = uniqueNames(
    all.map(({ resource: { type, name, id }, path }) => ({
      label: [type.type, name, ...path].join('_'),
      id: `${id}_${path.join('_')}`,
    })),
  )
  return all.map((one, at) => ({ ...one, name: names[at]! }))
}

function variableBlock({ name, resource, path }: Variable): string {
  return block(`variable "${name}"`, {
    description: `${path.join('.')} of ${addressOf(resource)}, which has credentials. They are not exported.`,
    type: new Expression('string'),
    sensitive: true,
  })
}
