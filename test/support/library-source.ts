/** Loaded before a program (`node --import`): it finds in place of the package what the package is made of. */
import { registerHooks } from 'node:module'

const waf = new URL('../../src/waf/index.ts', import.meta.url).href
const expressStandIn = new URL('./express-stand-in.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'sluice/waf') return { url: waf, shortCircuit: true }
    try {
      return next(specifier, context)
    } catch (error) {
      if (specifier !== 'express') throw error
      return { url: expressStandIn, shortCircuit: true }
    }
  },
})
