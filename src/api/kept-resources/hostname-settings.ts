import { Type } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { hostnameTlsSettingIds, hostnameTlsSettings as kind } from '../../coverage/index.ts'
import type { KeptResource } from '../../model/kept-resource.ts'
import type { JsonObject } from '../../model/resource.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { notRouted } from '../http/errors.ts'
import { text, time } from '../http/schemas.ts'
import { operationsOf } from '../openapi/operation.ts'
import { type KeptWrites, keptNotFound } from './kept-writes.ts'

export const hostnameSettingSchema = Type.Object({
  hostname: text,
  value: kind.body.properties['value']!,
  status: text,
  created_at: time,
  updated_at: time,
})

const operation = operationsOf('Not enforced')
const write = { result: hostnameSettingSchema }
const described = {
  list: operation(
    'listHostnameTlsSettings',
    'List a TLS setting of each host name',
    ['zoneCertificates', 'read'],
    { result: Type.Array(hostnameSettingSchema) },
  ),
  get: operation('getHostnameTlsSetting', `Get ${kind.noun}`, ['zoneCertificates', 'read'], write),
  replace: operation(
    'replaceHostnameTlsSetting',
    `Store ${kind.noun}; it is not enforced`,
    ['zoneCertificates', 'write'],
    write,
  ),
  delete: operation('deleteHostnameTlsSetting', `Delete ${kind.noun}`, ['zoneCertificates', 'write'], write),
}

interface SettingPath {
  Params: { readonly setting_id: string; readonly hostname: string }
}

/** A setting has its name and its host name in place of an id. */
export function hostnameSettingRoutes(app: Api, writes: KeptWrites): void {
  const base = '/hostnames/settings/:setting_id'
  const one = `${base}/:hostname`
  const onRequest = requireSetting
  const found = async (request: FastifyRequest<SettingPath>) => {
    const resource = (await writes.list(request, kind)).find(isAt(request.params))
    if (resource === undefined) throw keptNotFound(kind, request.params.hostname)
    return resource
  }

  app.get<Pick<SettingPath, 'Params'>>(base, { config: described.list, onRequest }, async request => {
    const all = await writes.list(request, kind)
    return success(
      all.filter(({ document }) => document['setting_id'] === request.params.setting_id).map(toWire),
    )
  })
  app.get<SettingPath>(one, { config: described.get, onRequest }, async request =>
    success(toWire(await found(request))),
  )
  const replacement = { config: described.replace, onRequest, schema: { body: kind.body } }
  app.put<SettingPath>(one, replacement, async request => {
    const { setting_id: setting, hostname } = request.params
    return writes.write(
      request,
      kind,
      stored => stored.find(isAt(request.params)),
      () => ({ setting_id: setting, hostname, ...(request.body as JsonObject) }),
      toWire,
    )
  })
  app.delete<SettingPath>(one, { config: described.delete, onRequest }, async request => {
    const resource = await found(request)
    await writes.delete(request, kind, resource.id)
    return success(toWire(resource))
  })
}

async function requireSetting(request: FastifyRequest): Promise<void> {
  const { setting_id: setting } = request.params as SettingPath['Params']
  if (!hostnameTlsSettingIds.some(known => known === setting)) throw notRouted(request.url)
}

function isAt({ setting_id: setting, hostname }: SettingPath['Params']) {
  return ({ document }: KeptResource) =>
    document['setting_id'] === setting && document['hostname'] === hostname
}

function toWire(resource: KeptResource): JsonObject {
  const { setting_id: _, ...shown } = resource.document
  return { ...shown, ...kind.computed(resource) }
}
