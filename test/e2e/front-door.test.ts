import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { api, discard, type Instance, readJsonLines, sharedCrs, startSluice } from '../support/sluice.ts'

/** Which zone serves a request and who is taken for its client, by the settings of a running instance. */
const skip = existsSync(sharedCrs) ? false : 'needs ../shared/crs: the CRS is not part of the project'

let sluice: Instance
let origin: Server

before(async () => {
  if (skip) return
  origin = createServer((incoming, response) => response.end(JSON.stringify(incoming.headers)))
  await new Promise<void>(resolve => origin.listen(0, '127.0.0.1', resolve))
  sluice = await startSluice({
    settings: {
      SLUICE_CRS: sharedCrs,
      SLUICE_DEFAULT_ZONE: 'shop.test',
      SLUICE_TRUSTED_PROXIES: '127.0.0.2,192.0.2.0/24',
      SLUICE_AUDIT_LOG: 'audit.ndjson',
      SLUICE_AUDIT_LOG_MODE: 'all',
    },
  })
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const { result: zone } = await api(sluice, 'POST', '/zones', {
    name: 'shop.test',
    account: { id: account.id },
    origin: { url: `http://127.0.0.1:${(origin.address() as AddressInfo).port}` },
  })
  const rules = [{ action: 'block', expression: 'ip.src eq 203.0.113.7' }]
  const path = `/zones/${zone.id}/rulesets/phases/http_request_firewall_custom/entrypoint`
  assert.equal((await api(sluice, 'PUT', path, { rules })).status, 200)
  await new Promise(resolve => setTimeout(resolve, 1000))
})

after(async () => {
  if (skip) return
  origin.closeAllConnections()
  origin.close()
  await discard(sluice)
})
