import { join, resolve } from 'node:path'
import { freePort } from '../../src/kit/testing/free-port.ts'
import { discard } from '../../test/support/sluice.ts'
import { obtainPeers } from '../peers/packages.ts'
import { PeerServer } from '../peers/server.ts'
import { makeZone, protect } from '../support/edge-zones.ts'
import { startProduct } from '../support/product.ts'
import { type Level, levels } from '../support/program.ts'
import type { Contender } from './contender.ts'
import { coraza, modSecurity } from './firewalls.ts'
import { guardedSite, openSite, unreachableScore } from './loads.ts'
import { startNginx } from './nginx.ts'

/** @param beside another checkout of Sluice, which is measured too */
export function contenders(beside: string | undefined): readonly Contender[] {
  const others = beside === undefined ? [] : [resolve(beside)]
  const sluices = sluiceLevels.flatMap(level => [
    sluice('Sluice', undefined, level),
    ...others.map(other => sluice(`Sluice of ${other}`, other, level)),
  ])
  const rivals = levels.flatMap(level => [modSecurity(level), coraza(level, 're2'), coraza(level, 'Go')])
  return [nginx, nodeProxy, ...sluices, ...rivals]
}

const sluiceLevels = [undefined, ...levels]
const defaultScore = 5

const nginx: Contender = {
  name: 'nginx, no rules',
  level: undefined,
  isSluice: false,
  async start({ originPort, directory }) {
    return startNginx({ packages: await obtainPeers(), rules: undefined, originPort, directory })
  },
}

const nodeProxy: Contender = {
  name: 'plain Node proxy, no rules',
  level: undefined,
  isSluice: false,
  async start({ originPort }) {
    const port = await freePort()
    const words = [join(import.meta.dirname, 'node-proxy.ts'), String(port), String(originPort)]
    return PeerServer.spawn(process.execPath, words, process.env, port)
  },
}

/** @param checkout this one, if undefined */
function sluice(name: string, checkout: string | undefined, level: Level | undefined): Contender {
  return {
    name: `${name}, ${level === undefined ? 'no rules' : `PL${level}`}`,
    level,
    isSluice: true,
    async start({ originPort, crs }) {
      const instance = await startProduct({ settings: { SLUICE_CRS: crs } }, checkout)
      for (const [site, threshold] of [
        [openSite, unreachableScore],
        [guardedSite, defaultScore],
      ] as const) {
        const zone = await makeZone(instance, site, originPort)
        if (level !== undefined) await protect(instance, zone, level, threshold)
      }
      return { port: instance.edgePort, pid: instance.pid, stop: () => discard(instance) }
    },
  }
}
