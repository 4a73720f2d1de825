import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decryptMatchedData, newMatchedDataKeys } from '../../kit/matched-data.ts'
import type { ManagedExecution } from '../../rulesets/plan/plan.ts'
import { execution, type FakeBehaviour, fakeProgram } from '../testing/fake-program.ts'
import { eventually, planFor, rule, startEdge, startOrigin } from '../testing/fixture.ts'

const keys = await newMatchedDataKeys()

interface Row {
  readonly name: string
  readonly parts?: Partial<ManagedExecution>
  readonly behaviour?: FakeBehaviour
  readonly limits?: { readonly matchedDataBytesMax?: number; readonly encryptionsMax?: number }
  /** Text of the decrypted payload, or its replacement. */
  readonly want: string | undefined
}

const payload = '{"rules":[{"id":"id-of-942100","ref":"942100","target":"REQUEST_URI","value":"attack"}]}'

const rows: readonly Row[] = [
  { name: 'the last rule blocked', want: payload },
  { name: 'a payload as long as the limit', limits: { matchedDataBytesMax: payload.length }, want: payload },
  { name: 'a longer one', limits: { matchedDataBytesMax: payload.length - 1 }, want: 'truncated' },
  { name: 'too many at once', limits: { encryptionsMax: 0 }, want: 'truncated' },
  { name: 'the last rule only logs', parts: { action: 'log' }, want: undefined },
  { name: 'the score is below the threshold', parts: { threshold: 6 }, want: undefined },
  { name: 'the last rule is off', parts: { acts: false }, want: undefined },
  { name: 'an invalid key', parts: { payloadKey: 'x' }, want: undefined },
  {
    name: 'a rule of the sources stopped the request',
    behaviour: { interruption: { ruleId: 942100, action: 'deny', status: 403 } },
    want: payload,
  },
]

for (const { name, parts, behaviour, limits, want } of rows)
  test(`payload logging: ${name}`, async t => {
    const origin = await startOrigin(t, (_request, response) => response.end())
    const managed = [rule(execution(fakeProgram(behaviour), { payloadKey: keys.publicKey, ...parts }))]
    const { url, events, audit } = await startEdge(t, planFor(origin.url, { managed }), {
      ...(limits !== undefined && { limits }),
      logger: { warn: () => {}, error: () => {} },
    })
    await (await fetch(`${url}/attack`)).arrayBuffer()
    await eventually(() => audit.length === 1)
    const logged = audit[0]!['encrypted_matched_data'] as string | undefined
    const shown =
      logged === undefined || logged === 'truncated'
        ? logged
        : await decryptMatchedData(keys.privateKey, logged)
    assert.equal(shown, want)
    for (const event of events)
      assert.equal((event['Metadata'] as Record<string, unknown>)['encrypted_matched_data'], logged)
    assert.equal(events.length, parts?.threshold === 6 || parts?.acts === false ? 0 : 1)
  })

test('without a key, no payload is recorded', async t => {
  const origin = await startOrigin(t, (_request, response) => response.end())
  const managed = [rule(execution(fakeProgram()))]
  const { url, events } = await startEdge(t, planFor(origin.url, { managed }))
  await (await fetch(`${url}/attack`)).arrayBuffer()
  await eventually(() => events.length === 1)
  assert.ok(!('encrypted_matched_data' in (events[0]!['Metadata'] as object)))
})
