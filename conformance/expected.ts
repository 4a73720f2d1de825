import assert from 'node:assert/strict'

/**
 * The expected form of a part of a response. Members of an object are compared one by one, and `undefined` means
 * absent. Arrays must have the same length. A regular expression matches a text. Everything else must be equal.
 */
export type Expected = unknown

/** Wraps a value that must be equal as a whole, with no further members. */
export class Exactly {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

/** The values of names in angle brackets. A text that is only a name becomes its value, which may be a number. */
export type Names = ReadonlyMap<string, string | number>

/** Replaces names by their values, everywhere in texts and keys. */
export function filled(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return filledText(value, names)
  if (value instanceof RegExp) return new RegExp(String(filledText(value.source, names)), value.flags)
  if (value instanceof Exactly) return new Exactly(filled(value.value, names))
  if (Array.isArray(value)) return value.map(item => filled(item, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [filled(key, names), filled(member, names)]),
  )
}

function filledText(text: string, names: Names): string | number {
  const whole = /^<(\w+)>$/.exec(text)?.[1]
  const value = whole === undefined ? undefined : names.get(whole)
  return value ?? text.replace(/<(\w+)>/g, (blank, name: string) => String(names.get(name) ?? blank))
}

export function hold(actual: unknown, expected: Expected, path: string): void {
  const text = `${path}: ${JSON.stringify(actual)}`
  if (expected instanceof Exactly) assert.deepEqual(actual, expected.value, text)
  else if (expected instanceof RegExp) {
    assert.ok(typeof actual === 'string' && expected.test(actual), text)
  } else if (typeof expected === 'object' && expected !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, text)
    assert.equal(Array.isArray(actual), Array.isArray(expected), text)
    if (Array.isArray(expected)) assert.equal((actual as unknown[]).length, expected.length, text)
    for (const [key, member] of Object.entries(expected)) holdMember(actual, key, member, path)
  } else assert.equal(actual, expected, text)
}

function holdMember(actual: object, key: string, expected: Expected, path: string): void {
  const inside = `${path}.${key}`
  if (expected === undefined) assert.ok(!(key in actual), `${inside} is there: ${JSON.stringify(actual)}`)
  else hold((actual as Record<string, unknown>)[key], expected, inside)
}

/** The properties of every response with a body: the envelope, and a status that clients do not retry. */
export function holdEnvelope(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  // biome-ignore lint/suspicious/noExplicitAny: responses have every shape
  body: any,
): void {
  const text = JSON.stringify(body)
  assert.notEqual(status, 409, 'clients repeat a 409')
  assert.notEqual(status, 500, text)
  assert.match(String(headers['content-type']), /^application\/json/)
  const known = ['result', 'success', 'errors', 'messages', 'result_info']
  assert.deepEqual(
    Object.keys(body).filter(key => !known.includes(key)),
    [],
  )
  assert.equal(body.success, status < 300, text)
  assert.ok(Array.isArray(body.messages))
  assert.equal(body.errors.length > 0, status >= 300, text)
  for (const { message, code } of body.errors) {
    assert.ok(typeof message === 'string' && message.length > 0, text)
    assert.ok(code === undefined || Number.isInteger(code), text)
  }
  if (status >= 300) assert.equal(body.result, null)
}
