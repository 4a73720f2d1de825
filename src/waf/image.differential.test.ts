import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileImage } from './compile.ts'
import { crsImage, crsMissing, crsProgram } from './crs.test-support.ts'
import { outcomeOf, randomFrom } from './differential.test-support.ts'
import { loadProgram } from './image/program-image.ts'
import { randomRequest } from './random-requests.test-support.ts'
import { randomMatch, randomRules } from './random-rules.test-support.ts'
import { program } from './test-support.ts'

/** A program out of an image does what the program does that was compiled from the same sources. */

describe('compiled and out of an image: the same', () => {
  it('small programs made at random', () => {
    for (let seed = 0; seed < 150; seed++) {
      const random = randomFrom(90_000 + seed)
      const text = randomRules(random)
      const image = compileImage([{ name: 'test.conf', text }], { readData: () => undefined })
      assert.ok(image.ok)
      const loaded = loadProgram(image.value)
      assert.ok(loaded !== undefined)
      const compiled = program(text)
      for (let times = 5; times > 0; times--) {
        const request = randomMatch(random)
        const shown = `seed ${seed}\n${text}\n${JSON.stringify(request)}`
        assert.deepEqual(outcomeOf(loaded, request), outcomeOf(compiled, request), shown)
      }
    }
  })

  it('CRS 4.28.0', { skip: crsMissing }, () => {
    const settings = 'SecRuleEngine DetectionOnly'
    const loaded = loadProgram(crsImage('4.28.0', { settings }))
    assert.ok(loaded !== undefined)
    const compiled = crsProgram('4.28.0', { settings })
    const random = randomFrom(91)
    for (let round = 0; round < 250; round++) {
      const request = randomRequest(random)
      assert.deepEqual(outcomeOf(loaded, request), outcomeOf(compiled, request), JSON.stringify(request))
    }
  })
})
