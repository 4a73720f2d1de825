import type { JsonObject } from '../../../model/resource.ts'
import { block, comment, Encoded, Expression, type Members, type Value } from './hcl.ts'

import type { NamedScope, Resource } from './read.ts'

/** Texts of the files of a configuration, by name. */
export type Files = ReadonlyMap<string, string>

/** Certificates of a zone, as the API lists them. */
export type Certificates = ReadonlyMap<string, readonly JsonObject[]>

/** A file for the account, one for each zone, and one that imports everything. */
export function filesOf(
  scopes: readonly NamedScope[],
  resources: readonly Resource[],
  certificates: Certificates,
): Files {
  const references = new Map(
    resources
      .filter(({ type }) => type.isReferred)
      .map(one => [one.id, new Expression(`${addressOf(one)}.id`)] as const),
  )
  references.set(scopes[0]!.id, new Expression('local.account_id'))
  const files = new Map([['terraform.tf', head]])
  for (const { kind, id, name } of scopes) {
    const own = resources.filter(({ scope }) => scope.id === id)
    const texts = own.map(resource => textOf(resource, references))
    const locals = kind === 'account' ? [block('locals', { account_id: id })] : []
    const notes = (certificates.get(id) ?? []).map(certificateNote)
    files.set(
      kind === 'account' ? 'account.tf' : `zone_${name}.tf`,
      [...locals, ...texts, ...notes].join('\n'),
    )
  }
  const secrets = resources.flatMap(one => (secretOf(one) === undefined ? [] : [variable(one)]))
  if (secrets.length > 0) files.set('variables.tf', secrets.join('\n'))
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

function textOf(resource: Resource, references: References): string {
  const { type, name, scope, members, object } = resource
  const secret = secretOf(resource)
  const all: Members = {
    ...(type.isOfNoScope ? {} : { [`${scope.kind}_id`]: scope.id }),
    ...members,
    ...(secret === undefined ? {} : { [secret]: new Expression(`var.${variableOf(resource, secret)}`) }),
  }
  const lost = (type.lost?.(object) ?? []).map(part => comment(`Not part of the provider: ${part}`))
  return (
    lost.join('') +
    block(`resource "cloudflare_${type.type}" "${name}"`, referring(all, references) as Members)
  )
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

function secretOf({ type, object }: Resource): string | undefined {
  return type.secret?.(object)
}

function variableOf({ type, name }: Resource, member: string): string {
  return `${type.type}_${name}_${member}`
}

function variable(resource: Resource): string {
  const member = secretOf(resource)!
  const description = `${member} of ${addressOf(resource)}, which has credentials. They are not exported.`
  return block(`variable "${variableOf(resource, member)}"`, {
    description,
    type: new Expression('string'),
    sensitive: true,
  })
}

function certificateNote({ id, hosts, expires_on: expires }: JsonObject): string {
  return comment(
    `Not exported, because the API does not show its key: custom certificate ${id} for ${(hosts as readonly string[]).join(', ')}, until ${expires}`,
  )
}
