/** Loaded before a program (`node --import`): it finds in place of the package what the package is made of. */
import { registerHooks } from 'node:module'

const waf = new URL('../../src/waf/index.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    return specifier === 'sluice/waf' ? { url: waf, shortCircuit: true } : next(specifier, context)
  },
})
