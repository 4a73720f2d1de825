import {
  hostnameTlsSettingIds,
  type KeptKind,
  keptCollections,
  keptSingletons,
} from '../../../coverage/index.ts'
import type { JsonObject } from '../../../model/resource.ts'
import { collection, type Kind, single } from './kind.ts'

/** Resources that are stored and not enforced. Webhooks come before the policies that name them. */
export const keptKindsOfFiles: readonly Kind[] = [
  ...keptCollections
    .toSorted((a, b) => Number(b.kind === 'notification_webhook') - Number(a.kind === 'notification_webhook'))
    .map(kind =>
      collection(
        kind.path.slice(1),
        {
          ...commonOf(kind),
          name: kind.kind.replace(/y$/, 'ie').concat('s'),
          keys: keysOf(kind),
          ...(kind.isOrdered && {
            create: (body: JsonObject) => ({ method: 'POST', path: `${kind.path.slice(1)}/order`, body }),
          }),
          ...(kind.kind === 'notification_webhook' && {
            unread: ['secret'],
            concealed: (document, _object, variable) => ({ ...document, url: `\${${variable('URL')}}` }),
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
    members: Object.keys(kind.body.properties).filter(name => !kind.dropped?.includes(name)),
    defaults: kind.defaults,
  }
}

function keysOf({ kind, body }: KeptKind): readonly string[] {
  if (kind === 'page_rule') return ['targets']
  return 'name' in body.properties ? ['name'] : ['hosts']
}
