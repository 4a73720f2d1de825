import assert from 'node:assert/strict'
import type { Configuration } from '../../test/support/opentofu.ts'
import { api, type Instance } from '../../test/support/sluice.ts'
import { filledWith, type Lifecycle } from './lifecycles.ts'

/** One stage of a lifecycle. It throws, or returns the plan that should have been empty. */
export interface Stage {
  readonly name: string
  run(): Promise<string>
}

/** The stages that follow the steps of a configuration: import, destruction, and the API's word that it is gone. */
export async function stagesAfter(
  sluice: Instance,
  configuration: Configuration,
  resource: string,
  { importId, path, left }: Lifecycle,
): Promise<readonly Stage[]> {
  const address = `cloudflare_${resource}.this`
  const attributes = await configuration.attributes(address)
  const imported: Stage = {
    name: 'import',
    run: async () => {
      await configuration.import(address, filledWith(attributes, importId!))
      return configuration.plan()
    },
  }
  const gone: Stage = {
    name: 'destroy',
    run: async () => {
      await configuration.destroy()
      const { status, result } = await api(sluice, 'GET', filledWith(attributes, path))
      if (left === undefined) assert.equal(status, 404, `GET ${path} answers ${status} after the destruction`)
      else assert.partialDeepStrictEqual(result, left)
      return ''
    },
  }
  return importId === undefined ? [gone] : [imported, gone]
}
