import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { unusualInjections } from '../../detect/testing/unusual-injections.ts'
import { crsMissing, crsProgram } from '../testing/crs.ts'
import { send } from '../testing/requests.ts'
import type { Program } from '../types.ts'

/** Injections through the whole CRS at paranoia level 1, as an argument of a form. */

const folder = join(import.meta.dirname, '../../../../shared/detect')
const listsMissing = existsSync(folder) ? false : 'the lists of attacks are not here (../shared/detect)'
/** Every n-th line of each list is used: all of them take a minute. */
const step = 20
/** Share of the lines that the peer (mod_security2 with the same rules) blocks, of attacks and of harmless lines. */
const peer = { attacks: 0.9997, harmless: 0.095 }

const levelOne = (program: Program) => program.mask(rule => rule.paranoiaLevel > 1)

/** @param encoded a value in form encoding */
function isBlocked(program: Program, encoded: string): boolean {
  const body = `v=${encoded}`
  const headers = [
    ['Host', 'www.example.com'],
    ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['Accept', '*/*'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Content-Length', String(body.length)],
  ] as const
  const { interruption } = send(
    program,
    { method: 'POST', target: '/search', headers, body },
    levelOne(program),
  )
  return interruption !== undefined
}

function percentEncoded(value: string): string {
  return Buffer.from(value, 'latin1').toString('hex').replaceAll(/../g, '%$&')
}

test('short, deep and commented SQL injections', { skip: crsMissing }, () => {
  const program = crsProgram('4.28.0')
  const passed = unusualInjections.filter(value => !isBlocked(program, percentEncoded(value)))
  assert.deepEqual(passed, [])
})

/** The lines of a list, in form encoding except for some bytes. */
function lines(list: string): string[] {
  return readFileSync(join(folder, `${list}.txt`), 'latin1')
    .split('\n')
    .filter((line, index) => line !== '' && index % step === 0)
    .map(line => line.replaceAll(/[^\w%+.~-]/g, percentEncoded))
}

test('a public corpus is blocked to the same extent as by the peer', {
  skip: crsMissing || listsMissing,
}, () => {
  const program = crsProgram('4.28.0')
  for (const list of ['sqli', 'xss']) {
    const all = lines(list)
    const passed = all.filter(line => !isBlocked(program, line))
    assert.ok(passed.length <= all.length * (1 - peer.attacks), `${list}: ${passed.join('\n')}`)
  }
  const harmless = lines('harmless')
  const blocked = harmless.filter(line => isBlocked(program, line))
  assert.ok(blocked.length <= Math.ceil(harmless.length * peer.harmless), blocked.join('\n'))
})
