import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Spares } from './children.ts'
import { runSeed } from './run-seed.ts'

const seeds = Array.from({ length: 24 }, (_, index) => index + 1)

let spares: Spares
before(() => {
  spares = new Spares(2)
})
after(() => spares.close())

describe('whatever fails, the destinations hold exactly the expected lines', { concurrency: 2 }, () => {
  for (const seed of seeds)
    test(`seed ${seed}`, async () => {
      const { problems, story, injected, lines } = await runSeed(seed, spares)
      const again = `again: npm run faults -- --seed ${seed}`
      assert.deepEqual(problems, [], `${again}\n${story.join('\n')}`)
      assert.ok(injected.size > 0 && lines > 0, `nothing happened; ${again}`)
    })
})
