import {
  hostnameTlsSettingIds,
  type KeptKind,
  keptCollections,
  keptSingletons,
} from '../../../coverage/index.ts'
import type { JsonObject } from '../../../model/resource.ts'
import { collection, type Kind, single } from './kind.ts'

/** Resources that are stored and not enforced. */
export const keptKindsOfFiles: readonly Kind[] = [
  ...keptCollections.map(kind =>
    collection(
      kind.path.slice(1),
      {
        ...commonOf(kind),
        name: `${kind.kind}s`,
        keys: keysOf(kind),
        ...(kind.isOrdered && {
          create: (body: JsonObject) => ({ method: 'POST', path: `${kind.path.slice(1)}/order`, body }),
        }),
      },
      kind.isOrdered ? 'PATCH' : 'PUT',
    ),
  ),
  ...keptSingletons.map(kind =>
    single(kind.path.slice(1), kind.write, { ...commonOf(kind), name: kind.kind }),
  ),
  ...hostnameTlsSettingIds.map(setting => {
    const path = `hostnames/settings/${setting}`
    const put = ({ hostname, value }: JsonObject) =>
      ({ method: 'PUT', path: `${path}/${hostname}`, body: { value: value! } }) as const
    return collection(path, {
      name: `hostname_${setting}`,
      noun: `${setting} of a host name`,
      scopes: ['zone'],
      keys: ['hostname'],
      members: ['hostname', 'value'],
      idMember: 'hostname',
      create: put,
      change: (_id, document) => put(document),
    })
  }),
]

function commonOf(kind: KeptKind) {
  return {
    noun: kind.noun.replace(/^(?:a|the) /, ''),
    scopes: [kind.scope],
    members: Object.keys(kind.body.properties),
    defaults: kind.defaults,
  }
}

function keysOf({ kind, body }: KeptKind): readonly string[] {
  if (kind === 'page_rule') return ['targets']
  return 'name' in body.properties ? ['name'] : ['hosts']
}
