import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { detectSqli, detectXss } from '../../detect/index.ts'
import { transformations } from '../transformations/index.ts'

/**
 * A public corpus of attacks and ordinary input, if it is beside the repository. Its README gives the encoding; `peer`
 * is the number of lines that libinjection 3.9.2 finds in the same files.
 */
const folder = join(import.meta.dirname, '../../../../shared/detect')
const skip = existsSync(folder) ? false : 'the lists of attacks are not here (../shared/detect)'
const peer = { sqli: 8484, xss: 832, harmless: 11 }
const shareMin = 0.999

function values(list: keyof typeof peer): string[] {
  const decode = transformations.get('urlDecode')!
  const lines = readFileSync(join(folder, `${list}.txt`), 'latin1').split('\n')
  return lines.filter(line => line !== '').map(line => decode.apply(line))
}

test('finds the SQL injections that the peer finds', { skip }, () => {
  const found = values('sqli').filter(value => detectSqli(value) !== null).length
  assert.ok(found >= Math.ceil(peer.sqli * shareMin), `${found}`)
})

test('finds the script injections that the peer finds', { skip }, () => {
  const found = values('xss').filter(detectXss).length
  assert.ok(found >= Math.ceil(peer.xss * shareMin), `${found}`)
})

test('lets as much ordinary input pass as the peer', { skip }, () => {
  const harmless = values('harmless')
  const alarms = harmless.filter(value => detectSqli(value) !== null || detectXss(value))
  assert.ok(alarms.length <= peer.harmless, alarms.join('\n'))
})
