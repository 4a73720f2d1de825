import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Checks the licences of every package that an installation runs, by package-lock.json: `npm run check:licences`. */

/** Licences that let others use and change Sluice under its own, Apache-2.0. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
])

/** Package → licence, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  // Unchanged, and a separate package in an installation, so that users can replace it as the LGPL demands.
  openpgp: 'LGPL-3.0+',
}

interface Locked {
  readonly license?: string
  readonly dev?: true
}

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>
}

/** One of a choice is enough; of several that apply together, all are needed. */
function isAllowed(licence: string): boolean {
  const choices = licence.replace(/[()]/g, '').split(' OR ')
  return choices.some(choice => choice.split(' AND ').every(part => allowed.has(part)))
}

const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev === undefined)
const refused = shipped.filter(([path, { license = 'none' }]) => {
  const name = path.split('node_modules/').at(-1)!
  return !isAllowed(license) && exceptions[name] !== license
})
for (const [path, { license = 'none' }] of refused)
  console.error(`${path}: licence ${license} is not allowed`)
console.log(`Licences: ${shipped.length} packages, ${refused.length} problems`)
if (refused.length > 0) process.exitCode = 1
