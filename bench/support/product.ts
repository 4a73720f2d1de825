import { join } from 'node:path'
import { discard, type Instance, type InstanceOptions, startSluice } from '../../test/support/sluice.ts'

/**
 * Starts the product as `npm start` does, which builds it first if its sources have changed.
 * @param checkout its directory
 * @throws if it cannot be built: figures of its sources are those of no user
 */
export async function startProduct(
  options: Pick<InstanceOptions, 'settings' | 'data'>,
  checkout: string = join(import.meta.dirname, '../..'),
): Promise<Instance> {
  const instance = await startSluice({ ...options, command: [join(checkout, 'bin/sluice.js'), 'serve'] })
  if (!instance.output().includes('runs from its sources')) return instance
  await discard(instance)
  throw new Error(instance.output())
}
