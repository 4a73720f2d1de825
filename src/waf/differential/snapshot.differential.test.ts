import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shareOf } from '../../kit/testing/share.ts'
import { compileSnapshot } from '../compile/compile.ts'
import { loadProgram } from '../snapshot/program-snapshot.ts'
import { crsMissing, crsProgram, crsSnapshot } from '../testing/crs.ts'
import { outcomeOf, randomFrom } from '../testing/outcomes.ts'
import { randomRequest } from '../testing/random-requests.ts'
import { randomMatch, randomRules } from '../testing/random-rules.ts'
import { program } from '../testing/requests.ts'

/** A program from a snapshot equals the program compiled from the same sources. */

describe('compiled and from a snapshot: the same', () => {
  it('small random programs', () => {
    for (let seed = 0; seed < shareOf(150); seed++) {
      const random = randomFrom(90_000 + seed)
      const text = randomRules(random)
      const snapshot = compileSnapshot([{ name: 'test.conf', text }], { readData: () => undefined })
      assert.ok(snapshot.ok)
      const loaded = loadProgram(snapshot.value)
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
    const engine = 'DetectionOnly'
    const loaded = loadProgram(crsSnapshot('4.28.0', engine))
    assert.ok(loaded !== undefined)
    const compiled = crsProgram('4.28.0', { engine })
    const random = randomFrom(91)
    for (let round = 0; round < shareOf(1000); round++) {
      const request = randomRequest(random)
      assert.deepEqual(outcomeOf(loaded, request), outcomeOf(compiled, request), JSON.stringify(request))
    }
  })
})
