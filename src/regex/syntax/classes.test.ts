import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileRegex } from '../index.ts'

const bytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))

/** The bytes that a pattern of one byte matches. */
function matched(pattern: string, dialect: 'pcre' | 'rust' = 'pcre'): string {
  const outcome = compileRegex(`^(?:${pattern})$`, { dialect })
  assert.ok(outcome.ok, pattern)
  return bytes.filter(byte => byte !== '\n' && outcome.matcher.test(byte)).join('')
}

function those(holds: (byte: string) => boolean): string {
  return bytes.filter(byte => byte !== '\n' && holds(byte)).join('')
}

/** The same class in the platform's expressions. */
const posix: Readonly<Record<string, RegExp>> = {
  alnum: /[A-Za-z0-9]/,
  alpha: /[A-Za-z]/,
  ascii: /[\x00-\x7f]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t-\r]/,
  upper: /[A-Z]/,
  word: /[A-Za-z0-9_]/,
  xdigit: /[0-9A-Fa-f]/,
}

test('POSIX classes', () => {
  for (const [name, platform] of Object.entries(posix)) {
    assert.equal(
      matched(`[[:${name}:]]`),
      those(byte => platform.test(byte)),
      name,
    )
    assert.equal(
      matched(`[^[:${name}:]]`),
      those(byte => !platform.test(byte)),
      `not ${name}`,
    )
    assert.equal(
      matched(`[[:^${name}:]]`),
      those(byte => !platform.test(byte)),
      `^${name}`,
    )
  }
})

test('every byte alone, as a range, and with others', () => {
  for (const byte of bytes) {
    const code = `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`
    assert.equal(
      matched(code),
      those(other => other === byte),
      code,
    )
    assert.equal(
      matched(`[${code}-${code}]`),
      those(other => other === byte),
      code,
    )
    assert.equal(
      matched(`[^${code}]`),
      those(other => other !== byte),
      code,
    )
    assert.equal(
      matched(`[\\x00${code}]`),
      those(other => other === byte || other === '\0'),
      code,
    )
    assert.equal(
      matched(`[\\x00-${code}]`),
      those(other => other <= byte),
      code,
    )
    assert.equal(
      matched(`[${code}-\\xff]`),
      those(other => other >= byte),
      code,
    )
  }
})

test('intersections, differences and symmetric differences', () => {
  assert.equal(matched('[\\x00-a&&[\\x00z]]', 'rust'), '\0')
  assert.equal(matched('[\\x00-\\x7f&&[^\\x01-\\x7f]]', 'rust'), '\0')
  assert.equal(matched('[\\x00-c--[a-c]--\\x01-`]', 'rust'), '\0')
  assert.equal(
    matched('[\\x00-b~~a-c]', 'rust'),
    those(byte => byte <= '`' || byte === 'c'),
  )
})
